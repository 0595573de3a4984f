# SPDX-License-Identifier: MIT
"""The program and its modules are built with protections against the exploitation of memory errors.
Arguments: the level of _FORTIFY_SOURCE (0: off), whether jump targets are marked (1) or not (0),
and the files."""
import os
import stat
import struct
import sys

DYNAMIC, INTERPRETER, STACK, RELRO = 2, 3, 0x6474e551, 0x6474e552
STRTAB, SYMTAB, FLAGS, FLAGS_1 = 5, 6, 30, 0x6ffffffb
BIND_NOW, NOW, PIE, EXECUTABLE, SHARED = 8, 1, 0x08000000, 1, 3
MARK = b'\xf3\x0f\x1e\xfa'  # endbr64


class Elf:
    """The headers of a 64-bit ELF file of either byte order."""

    def __init__(self, path):
        with open(path, 'rb') as file:
            self.data = file.read()
        if self.data[:5] != b'\x7fELF\x02':
            raise ValueError('is no ELF file of 64 bits')
        self.order = '<' if self.data[5] == 1 else '>'
        self.type, = self.read('H', 16)
        at, = self.read('Q', 32)
        size, n = self.read('HH', 54)
        # type, flags, offset, virtual address, physical address, size in the file
        self.parts = [self.read('IIQQQQ', at + i * size) for i in range(n)]
        self.dynamic = {}
        for kind, _, start, _, _, length in self.parts:
            for i in range(start, start + length if kind == DYNAMIC else start, 16):
                tag, value = self.read('QQ', i)
                self.dynamic.setdefault(tag, value)

    def read(self, kinds, at):
        return struct.unpack_from(self.order + kinds, self.data, at)

    def part(self, wanted):
        return next((part for part in self.parts if part[0] == wanted), None)

    def names(self):
        """The names of all imported functions.  The string table lies behind the symbol table."""
        start = self.place(self.dynamic[STRTAB])
        end = start
        for at in range(self.place(self.dynamic[SYMTAB]), start, 24):
            end = max(end, start + self.read('I', at)[0])
        return self.data[start:end + 256].split(b'\0')

    def place(self, address):
        for kind, _, start, virtual, _, size in self.parts:
            if kind == 1 and virtual <= address < virtual + size:
                return start + address - virtual
        raise ValueError('has an address outside its parts')


def find_faults(path, fortify, marked):
    elf, faults = Elf(path), []
    names = elf.names()
    if elf.type != SHARED:
        faults.append('lies at a fixed address (-fPIE)')
    if elf.part(INTERPRETER) and not elf.dynamic.get(FLAGS_1, 0) & PIE:
        faults.append('is a program without -pie')
    if not elf.part(RELRO):
        faults.append('has tables of addresses that can be written (-z relro)')
    if not (elf.dynamic.get(FLAGS, 0) & BIND_NOW or elf.dynamic.get(FLAGS_1, 0) & NOW):
        faults.append('finds its functions late (-z now)')
    if not elf.part(STACK) or elf.part(STACK)[1] & EXECUTABLE:
        faults.append('has a stack whose data can be run (-z noexecstack)')
    if 'cuda' in os.path.basename(path):
        return faults  # nvcc compiled the code
    if b'__stack_chk_fail' not in names:
        faults.append('does not check its stack (-fstack-protector-strong)')
    # a small file may call no function that has a checked form, so only the program is tested
    if fortify and os.path.basename(path) == 'vivograph' and not any(
            n.endswith(b'_chk') for n in names):
        faults.append('has no checked functions (_FORTIFY_SOURCE)')
    # the marks are counted in the code: the C library's objects may lack them, and then the file
    # has no note that all of its code is marked
    if marked and elf.data.count(MARK) < 8:
        faults.append('can be made to jump anywhere (-fcf-protection)')
    if os.stat(path).st_mode & (stat.S_ISUID | stat.S_ISGID):
        faults.append('runs with the rights of its owner (setuid)')
    return faults


def main():
    fortify, marked, files, wrong = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:], 0
    for path in files:
        for fault in find_faults(path, fortify, marked):
            print(f'{path} {fault}')
            wrong += 1
    print(f'{len(files)} files, {wrong} faults')
    return 1 if wrong or not files else 0


if __name__ == '__main__':
    sys.exit(main())

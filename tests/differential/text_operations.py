"""The operations on texts that are compared with CPython: one expression a line, by group.

`s` and `t` are str, `b` and `c` bytes, `a` a bytearray, `n` and `m` int, `x` float. A line may be several
statements, parted by `;;`, the last of which is a return.
"""

from __future__ import annotations

POSITION = """
s[n]
s[-1]
s[0]
s[n:m]
s[n:]
s[:n]
s[n:m:2]
s[::-1]
s[::n]
s[1:-1]
s[-2:]
s[:-1]
s[len(s) - 1]
s[n:][m]
s[m:][:2]
'abcdef'[n]
b[n]
b[-1]
b[n:m]
b[::-1]
b[n:m:2]
b'abc'[n]
len(s)
len(b)
len(s) > 3
bool(s)
not s
1 if s else 2
[h for h in s]
[h for h in b]
list(s)
''.join(reversed(s))
[i for i, h in enumerate(s)]
sum(1 for h in s if h == 'a')
sorted(s)
list(zip(s, t))
max(s)
"""

COMPARISON = """
s == t
s != t
s < t
s <= t
s > t
s >= t
b == c
b != c
b < c
b >= c
s == 'ab'
'ab' == s
s < 'ab'
'ab' < s
s == s[::-1]
s[::-1] == t
s == 1
s[1:] == t
s + t == 'ab'
t in s
t not in s
'a' in s
s in 'abc,'
c in b
97 in b
n in b
"""

KEYS = """
s in ('a', 'ab', 1)
s in {'a': 1, 'b': 2}
{'a': 1, 'b': 2, 'ab': 3}.get(s)
{'a': 1, 'b': 2, 'ab': 3}[s]
{'a': 'x', 'b': 'y'}[s]
{'': 0.5, 'a': 1.5}[t]
s in ['a', t]
d = {'a': 1} ;; d[s] = 2 ;; return d.get('b'), len(d)
k = {'a', 'b'} ;; k.add(s) ;; return 'ab' in k, len(k)
"""

SEARCH = """
s.find(t)
s.find(t, n)
s.find(t, n, m)
s.rfind(t)
s.rfind(t, n)
s.rfind(t, n, m)
s.index(t)
s.index(t, n)
s.index(t, n, m)
s.rindex(t)
s.rindex(t, n)
s.rindex(t, n, m)
s.count(t)
s.count(t, n)
s.count(t, n, m)
s.startswith(t)
s.startswith(t, n)
s.startswith(('a', t))
s.endswith(t)
s.endswith(t, n, m)
s.endswith(('', 'b'))
s.removeprefix(t)
s.removesuffix(t)
s[:s.find(t)]
s[s.find(t) + 1:]
s[s.find(','):s.rfind(',')]
s[s.index(t):]
s[:s.rindex(t)]
b.find(c)
b.find(c, n, m)
b.find(97)
b.rfind(c)
b.index(c)
b.index(n)
b.rindex(c)
b.count(c)
b.count(n)
b.startswith(c)
b.endswith(c)
b.removeprefix(c)
b.removesuffix(c)
"""

PARTS = """
s.strip()
s.lstrip()
s.rstrip()
s.strip(t)
s.lstrip(t)
s.rstrip(t)
s.split()
s.split(None, n)
s.split(t)
s.split(t, n)
s.split(sep=t, maxsplit=n)
s.rsplit()
s.rsplit(None, n)
s.rsplit(t)
s.rsplit(t, n)
s.splitlines()
s.splitlines(True)
s.partition(t)
s.rpartition(t)
s.strip().split(',')
[p.strip() for p in s.split(',')]
s.split(',')[-1].strip() == 'a'
s.split(',')[n]
[list(p) for p in s.split(',')]
[len(p) for p in s.split()]
s.lower().split('a')[0].strip()
s.partition('-')[2].partition(',')[0]
[w[::-1] for w in s.split()]
s.split(',', 1)[-1][1:]
[w.upper() for w in s.split('b')]
list(map(str.strip, s.split(',')))
b.strip()
b.lstrip(c)
b.rstrip(c)
b.split()
b.split(c)
b.split(c, n)
b.rsplit(c, n)
b.rsplit(None, n)
b.splitlines()
b.partition(c)
b.rpartition(c)
"""

CASE = """
s.upper()
s.lower()
s.swapcase()
s.casefold()
s.title()
s.capitalize()
s.upper() == 'ABA'
s.lower() == t.lower()
s.casefold() == 'ss'
s.upper().lower()
s.upper()[::-1]
s.strip().title()
s[1:].capitalize()
s.swapcase().find('a')
s.isalpha()
s.isdigit()
s.isdecimal()
s.isnumeric()
s.isalnum()
s.isspace()
s.isupper()
s.islower()
s.istitle()
s.isascii()
s.isprintable()
s.isidentifier()
s.strip().isalpha()
s.strip().isupper()
s.strip().istitle()
s.strip().isdigit()
s[n:].isidentifier()
s.upper().isupper()
[h.isdigit() for h in s]
[h.isupper() for h in s]
b.upper()
b.lower()
b.swapcase()
b.title()
b.capitalize()
b.isalpha()
b.isdigit()
b.isalnum()
b.isspace()
b.isupper()
b.islower()
b.istitle()
b.isascii()
"""

BUILDING = """
s + t
s * n
n * s
s.join([t, s, t])
','.join([s, t])
'-'.join(s)
s.replace(t, s)
s.replace(t, '')
s.replace('a', t)
s.replace('a', 'b')
s.replace(t, 'xy', n)
s + 'x' == 'abx'
'x' + s + 'y' == t
','.join(s.split('a'))
(s + t)[n]
(s + t)[n:m]
(s + t).strip()
(s + ',' + t).split(',')
s + t < 'ab'
len(s + t)
'' + s
(s + t).find('a')
s.ljust(n)
s.rjust(n)
s.rjust(n, '0')
s.center(n)
s.center(n, '*')
s.zfill(n)
s.expandtabs()
s.expandtabs(n)
s.translate({97: 'b', 98: 97})
s.translate({97: None, 44: 'xy'})
s.translate(str.maketrans('ab', 'xy'))
b + c
b * n
c.join([b, c])
b.replace(c, b'xy')
b.ljust(n, b'-')
b.rjust(n)
b.center(n)
b.zfill(n)
b.expandtabs(n)
b.translate(None, b'a')
b.translate(bytes(range(256)))
"""

FORMATTING = """
f'{s}'
f'{s}-{t}'
f'{s:>5}|{t:<3}|'
f'{s!r}'
f'{n}{s}'
f'{s:^6.2}'
f'{s:{n}}'
'%s' % s
'%s-%s' % (s, t)
'%5s|%-4s|%.2s' % (s, t, s)
'%r' % (s,)
'%(a)s' % {'a': s}
s % t
'{}'.format(s)
'{0}{1}{0}'.format(s, t)
'{:>4}|{!r}'.format(s, t)
'{a}'.format(a=s)
s.format(t)
s.format_map({'a': t})
repr(s)
str(s)
ascii(s)
format(s, '>4')
str(b)
repr(b)
b'%s' % b
str(x)
repr(x)
f'{x:.2f}'
'%.1f' % x
f'{x}' == '1.5'
format(x, 'g')
'{:.3e}'.format(x)
"""

RENDERING = """
f'{n}'
f'{n:d}'
f'{n:04x}'
f'{n:x}'
f'{n:#x}'
f'{n:08b}'
f'{n:o}'
f'{n:5d}'
f'{n:<5}'
f'{n:>5d}'
f'{n:^7d}'
f'{n:+d}'
f'{n:,}'
f'{n:05}'
f'{n:X}'
f'{n:#06x}'
f'{n:e}'
f'{n:.1f}'
str(n)
repr(n)
hex(n)
oct(n)
bin(n)
str(n) == '-3'
f'{n:04x}' == 'beef'
'%d' % n
'%5d|%-5d|%05d' % (n, n, n)
'%x %X %o' % (n, n, n)
'%+d' % n
'%c' % (n % 999)
'{:>6}{:x}'.format(n, n)
str(n)[0]
str(n)[::-1]
len(str(n))
sum(int(h) for h in str(abs(n)))
str(n) + s
f'{n}-{m}' == '1-2'
str(n).zfill(4)
str(n).split('-')
bin(n).count('1')
n.to_bytes(2, 'big')
n.to_bytes(3, 'little', signed=True)
n.to_bytes()
"""

NUMBERS = """
int(s)
float(s)
int(s, 16)
int(s, 2)
int(s, 0)
int(s, 36)
int(s, base=8)
int(s) == 42
int(s) + 1
int(s.strip())
int(s[1:])
int(s[:2])
float(s) > 1.5
float(s.strip())
[int(p) for p in s.split('.')]
int(s.split('.')[0])
int(s[::-1])
"""

CODES = """
[ord(h) for h in s]
ord(s)
ord(b)
chr(n)
chr(n + 97)
chr(ord(s[0]) + 1)
chr(n) + s
''.join([chr(ord(h) ^ 1) for h in s])
sum([ord(h) for h in s])
[ord(h) - 48 for h in s if h.isdigit()]
s.encode()
s.encode('ascii')
s.encode('latin-1')
s.encode('ascii', 'replace')
s.encode('ascii', 'ignore')
s.encode('utf-16')
s.upper().encode()
s[1:].encode()
bytes(s, 'utf-8')
s.encode().decode()
b.decode()
b.decode('ascii')
b.decode('latin-1')
b.decode('utf-8', 'replace')
str(b, 'latin-1')
b.decode('latin-1').upper()
b[1:].decode('ascii')
b.hex()
b.hex(':')
bytes([n, 1])
bytes(b)
int.from_bytes(b, 'big')
int.from_bytes(b, 'little')
int.from_bytes(b, 'big', signed=True)
"""

ARRAYS = """
a[n]
a[n:m]
len(a)
list(a)
[h for h in a]
a == c
a < c
a + c
c in a
a.find(c)
a.split(c)
a.upper()
a.strip()
a.replace(c, b'x')
a.decode('latin-1')
a.hex()
bytes(a)
bytearray(b)
a.append(n) ;; return a
a.extend(c) ;; return a
a.insert(n, 7) ;; return a
h = a.pop() ;; return a, h
a.pop(n) ;; return a
a.remove(97) ;; return a
a.reverse() ;; return a
a.clear() ;; return a
a[n] = 65 ;; return a
a[n:m] = c ;; return a
del a[n] ;; return a
del a[n:m] ;; return a
a += c ;; return a
a *= 2 ;; return a
a.append(n) ;; a.reverse() ;; a.extend(b'q') ;; return a
r = bytearray() ;; r.extend(b) ;; r.append(n) ;; return r
r = bytearray(b) ;; r[0] = 1 ;; return (r, b)
"""

PATTERNS = (
    r"(\d{3})-([a-z]+)",
    r"a+b*",
    r"(a|b)*,",
    r"\w+",
    r"[^,]*",
    r"^\s*(\w*)\s*$",
    r"(a)?(b)?c?",
    r"a{2,3}",
    r"(?i)aB",
    r"\b\w",
    r"(?P<k>[a-z]+)=(?P<v>\d*)",
    r"(?:ab)+",
    r"a.*b",
    r"a.*?b",
    r"[\d.]+",
    r"(?=a)\w+",
    r"$",
    r"(?m)^a",
    r"a\Z",
    r"(a)\1",
    r"(?<!a)b",
    r"(?s).+",
    r"-?\d+(\.\d+)?",
    r"[^\W\d_]+",
    r"\.|,|-",
    r"[,;]",
    r"(?i)[k-s]",
)

# With each of the patterns in the place of PATTERN.
REGEX = """
re.match(PATTERN, s) is not None
re.fullmatch(PATTERN, s) is not None
re.search(PATTERN, s) is not None
m = re.match(PATTERN, s) ;; return m and (m.group(), m.groups(), m.span())
m = re.fullmatch(PATTERN, s) ;; return m and (m.group(), m.groupdict(), m.end())
m = re.search(PATTERN, s) ;; return m and (m[0], m.groups(''), m.start())
re.findall(PATTERN, s)
[m.span() for m in re.finditer(PATTERN, s)]
re.split(PATTERN, s)
re.split(PATTERN, s, maxsplit=1)
re.sub(PATTERN, 'x', s)
re.subn(PATTERN, r'[\\g<0>]', s, 1)
"""

OTHER_REGEX = """
re.escape(s)
re.escape(s + 'a') == '-a'
re.escape(b)
re.compile(s).match('ab') is None
re.compile('[' + s[:1] + ']+', re.I).pattern
re.compile(b).groups
re.match(s, 'ab') is None
re.findall(s, 'a-b')
re.split(s, 'a-b')
re.sub(s, 'x', 'aab')
re.compile('a+').match(s, 1) is None
re.compile('[,;]').split(s, 1)
re.sub('a', lambda m: m.group().upper(), s)
re.match(rb'a+', b) is not None
re.findall(rb'[a-c]', b)
re.sub(rb'a', b'x', b)
re.split(',', s)[0] == 'a'
re.fullmatch(r'(\\w+)@(\\w+)', s).group(2) == 'b'
re.search(r'(\\d+)', s).group(1)
"""

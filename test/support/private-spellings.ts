// Every known way to write a forbidden callback address in a URL: RFC 3986 and WHATWG forms, IPv6 forms that
// embed an IPv4 address, look-alike characters.

const IPV4 = [
  ...['127.0.0.1', '127.1.2.3', '0.0.0.0', '10.0.0.1', '172.16.5.4', '192.168.1.1', '169.254.169.254'],
  ...['100.64.0.1', '198.18.0.1', '224.0.0.1', '240.0.0.1', '255.255.255.255', '192.0.0.192', '203.0.113.5'],
];

const hex2 = (byte: number): string => byte.toString(16).padStart(2, '0');
const FULL_WIDTH = 0xff10 - 0x30;
const shifted = (digits: string): string =>
  digits.replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + FULL_WIDTH));

const formsOf = (dotted: string): readonly string[] => {
  const [a, b, c, d] = dotted.split('.').map(Number) as [number, number, number, number];
  const whole = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
  const [high, low] = [`${hex2(a)}${hex2(b)}`, `${hex2(c)}${hex2(d)}`];
  const inverted = [a, b, c, d].map((byte) => hex2(byte ^ 255));
  const hosts = [
    dotted,
    `${dotted}.`,
    String(whole),
    `0x${whole.toString(16)}`,
    `0${whole.toString(8)}`,
    [a, b, c, d].map((byte) => `0x${byte.toString(16)}`).join('.'),
    [a, b, c, d].map((byte) => `0${byte.toString(8).padStart(3, '0')}`).join('.'),
    `0x${a.toString(16)}.${b}.0${c.toString(8)}.${d}`,
    `${a}.${b}.${(c << 8) | d}`,
    `${a}.${(b << 16) | (c << 8) | d}`,
    shifted(dotted),
    dotted.replaceAll('.', '．'),
    dotted.replaceAll('.', '。'),
    dotted.replaceAll('.', '｡'),
    [...dotted].map((character) => `%${hex2(character.charCodeAt(0))}`).join(''),
    `[::ffff:${dotted}]`,
    `[::ffff:${high}:${low}]`,
    `[0:0:0:0:0:FFFF:${high}:${low}]`,
    `[::${dotted}]`,
    `[::ffff:0:${dotted}]`,
    `[64:ff9b::${dotted}]`,
    `[64:ff9b:1::${high}:${low}]`,
    `[2002:${high}:${low}::1]`,
    `[2001:0:4136:e378:8000:63bf:${inverted[0]}${inverted[1]}:${inverted[2]}${inverted[3]}]`,
    `[2606:4700::5efe:${dotted}]`,
  ];
  return hosts;
};

const OTHER_HOSTS = [
  ...[
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    'ｌｏｃａｌｈｏｓｔ',
    'ⓛocalhost',
    'loc%61lhost',
  ],
  ...['[::]', '[::1]', '[0:0:0:0:0:0:0:1]', '[0000:0000:0000:0000:0000:0000:0000:0001]', '[::2]'],
  ...[
    '[fe80::1]',
    '[fe80::1%25lo]',
    '[fe80::1%lo]',
    '[febf::1]',
    '[fec0::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
  ],
  ...[
    '[FD00::1]',
    '[ff02::1]',
    '[ff05::1:3]',
    '[100::1]',
    '[2001:db8::1]',
    '[3fff::1]',
    '[5f00::1]',
    '[4000::1]',
  ],
  ...[
    '[2001:2::1]',
    '[2001:10::1]',
    '[2001:20::1]',
    '127.1',
    '127.0.1',
    '0',
    '0x7f.1',
    '0177.1',
    '017700000001',
  ],
  ...[
    '①②⑦.⓪.⓪.①',
    '1２7.0.0.1',
    '0x7f000001',
    '2130706433',
    '4294967295',
    '0xffffffff',
    '0.0',
    '168.63.129.16',
  ],
  ...['metadata', 'metadata.google.internal', 'router.local', 'nas.home.arpa'],
];

/** Hosts, each with an address or a name that is forbidden for callbacks. */
export const privateHosts: readonly string[] = [...new Set([...IPV4.flatMap(formsOf), ...OTHER_HOSTS])];

/** Returns whole URLs with these hosts at `port`, both plain and with parts meant to hide the host. */
export const privateUrls = (port: number): readonly string[] =>
  privateHosts.flatMap((host, index) => {
    const dressed = [
      `https://example.org@${host}:${port}/`,
      `https://example.org%2f@${host}:${port}/`,
      `https:\\\\${host}:${port}\\`,
      `https://${host}:0${port}/?@example.org/#.example.org`,
      `  HTTPS://${host}:${port}/\t`,
      `https:/${host}:${port}/`,
    ];
    return [`https://${host}:${port}/`, dressed[index % dressed.length]!];
  });

// Snippets that create a wallet with tools that the caller already has: a shell with openssl, Node, or Python.

/**
 * For a POSIX shell with openssl (3.0 or later), od and awk. Run as `sh wallet.sh`; prints {walletAddress,
 * secretKey} as JSON. Never writes the key to disk.
 */
export const posixShell = `# sh wallet.sh (needs openssl 3.0 or later)
openssl genpkey -algorithm ed25519 -outform DER | {
  # 48 bytes of PKCS#8, the last 32 of which are the seed.
  pkcs8=$(od -An -v -tx1 | tr -d ' \\n')
  seed=$(printf %s "$pkcs8" | tail -c 64)
  # printf reads octal escapes; \\0 would end an argument but not an escape sequence.
  public=$(printf %b "$(printf %s "$pkcs8" | awk '{ for (i = 1; i < length($0); i += 2) printf "\\\\0%03o", (index("0123456789abcdef", substr($0, i, 1)) - 1) * 16 + index("0123456789abcdef", substr($0, i + 1, 1)) - 1 }')" |
    openssl pkey -inform DER -pubout -outform DER | tail -c 32 | od -An -v -tx1 | tr -d ' \\n')
  printf '%s\\n%s\\n' "$public" "$seed$public" | awk '
    function base58(hex,   alphabet, digits, count, i, j, carry, text) {
      alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
      count = 0
      for (i = 1; i < length(hex); i += 2) {
        carry = (index("0123456789abcdef", substr(hex, i, 1)) - 1) * 16 + index("0123456789abcdef", substr(hex, i + 1, 1)) - 1
        for (j = 0; j < count || carry > 0; j++) {
          carry += (j < count ? digits[j] : 0) * 256
          digits[j] = carry % 58
          carry = int(carry / 58)
          if (j >= count) count = j + 1
        }
      }
      text = ""
      for (i = 1; substr(hex, i, 2) == "00"; i += 2) text = text "1"
      for (j = count - 1; j >= 0; j--) text = text substr(alphabet, digits[j] + 1, 1)
      return text
    }
    NR == 1 { address = base58($0) }
    NR == 2 { printf "{\\"walletAddress\\": \\"%s\\", \\"secretKey\\": \\"%s\\"}\\n", address, base58($0) }'
}
`;

/** Uses only Node's standard library. Run as `node wallet.mjs` on Node 18 or later; prints {walletAddress, secretKey} as JSON. */
export const javascript = `// node wallet.mjs
import { generateKeyPairSync } from 'node:crypto';

const base58 = (bytes) => {
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
  let number = BigInt('0x' + Buffer.from(bytes).toString('hex'));
  let text = '';
  for (; number > 0n; number /= 58n) text = alphabet[Number(number % 58n)] + text;
  for (const byte of bytes) {
    if (byte !== 0) break;
    text = '1' + text;
  }
  return text;
};

const { privateKey } = generateKeyPairSync('ed25519');
const { d, x } = privateKey.export({ format: 'jwk' });
const publicKey = Buffer.from(x, 'base64url');
const secretKey = Buffer.concat([Buffer.from(d, 'base64url'), publicKey]);
console.log(JSON.stringify({ walletAddress: base58(publicKey), secretKey: base58(secretKey) }));
`;

/**
 * Uses only Python's standard library, which lacks Ed25519, so the snippet implements it. Run as `python3
 * wallet.py` on Python 3.8 or later; prints {walletAddress, secretKey} as JSON.
 */
export const python = `# python3 wallet.py
import hashlib, json, secrets

# Ed25519 public key from a seed (RFC 8032). Python's standard library has no Ed25519 of its own.
P = 2**255 - 19
D = -121665 * pow(121666, -1, P) % P
BASE_Y = 4 * pow(5, -1, P) % P


def recover_x(y):
    xx = (y * y - 1) * pow(D * y * y + 1, -1, P)
    x = pow(xx, (P + 3) // 8, P)
    if (x * x - xx) % P != 0:
        x = x * pow(2, (P - 1) // 4, P) % P
    return P - x if x % 2 else x


def add(a, b):
    (x1, y1), (x2, y2) = a, b
    k = D * x1 * x2 * y1 * y2 % P
    x = (x1 * y2 + x2 * y1) * pow(1 + k, -1, P)
    y = (y1 * y2 + x1 * x2) * pow(1 - k, -1, P)
    return x % P, y % P


def public_key(seed):
    half = bytearray(hashlib.sha512(seed).digest()[:32])
    half[0] &= 248
    half[31] = half[31] & 63 | 64
    scalar = int.from_bytes(half, "little")
    point, power = (0, 1), (recover_x(BASE_Y), BASE_Y)
    while scalar:
        if scalar & 1:
            point = add(point, power)
        power = add(power, power)
        scalar >>= 1
    return (point[1] | (point[0] & 1) << 255).to_bytes(32, "little")


def base58(data):
    alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
    number, text = int.from_bytes(data, "big"), ""
    while number:
        number, digit = divmod(number, 58)
        text = alphabet[digit] + text
    return "1" * (len(data) - len(data.lstrip(b"\\0"))) + text


seed = secrets.token_bytes(32)
public = public_key(seed)
print(json.dumps({"walletAddress": base58(public), "secretKey": base58(seed + public)}))
`;

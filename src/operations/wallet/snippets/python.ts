// The Python snippet that makes a wallet on the caller's machine: standard library only, with Ed25519 written out.

/** Runs as `python3 wallet.py` on Python 3.8 and later; prints {walletAddress, secretKey} as JSON. */
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

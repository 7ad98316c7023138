// The command-line snippet that makes a wallet on the caller's machine: a POSIX shell with openssl (3.0 or later), od and awk.

/** Runs as `sh wallet.sh`; prints {walletAddress, secretKey} as JSON. The key is never written to disk. */
export const cli = `# sh wallet.sh (needs openssl 3.0 or later)
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

// Passes on only arguments that a tool's schema contains, and refuses anything that looks like a secret key
// before it is sent.
import type { Tool } from '@modelcontextprotocol/server';
import { decodeBase58Bytes } from '../../src/kernel/base58.ts';
import { suggestName } from '../parse-command-line.ts';
import type { LocalResponse } from './run-local-tool.ts';

/** True for base58 text of 32 bytes. */
export const isAddress = (text: string): boolean => {
  const bytes = new TextEncoder().encode(text);
  return bytes.length <= 44 && decodeBase58Bytes(bytes, 0, bytes.length, new Uint8Array(32)) === 32;
};

const KEY_REFUSED: LocalResponse = {
  isError: true,
  body: {
    error: 'Secret key refused',
    errorCode: 'VALIDATION_ERROR',
    message: 'Secret keys are not accepted here. This one was not forwarded, but treat it as exposed.',
    suggestedAction:
      'No tool needs a secret key. With a keypair file given at startup, stake, unstake and withdraw sign on this machine.',
  },
};

const KEY_NAME = /(key|keys|keypair|seed|mnemonic|secret|phrase)$|^[ps]k$/i;

const mayNameKey = (name: string): boolean => KEY_NAME.test(name.replaceAll(/[^a-z]/gi, ''));

/** True for a list of numbers with the length of a keypair or its seed. */
const isKeyBytes = (value: unknown): boolean =>
  Array.isArray(value) && value.length >= 32 && value.every((byte) => Number.isInteger(byte));

/**
 * True if `value` contains, at any depth, a field named like a secret key or a list in the format of a
 * keypair file.
 */
const holdsSecretKey = (value: unknown, isNamed: (name: string) => boolean): boolean => {
  if (isKeyBytes(value)) return true;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([name, held]) => (!isNamed(name) && mayNameKey(name)) || holdsSecretKey(held, () => false),
  );
};

const PRINTABLE_NAME = /^[\w-]{1,40}$/;

/**
 * Returns the reason why `given` is refused for `tool`, or undefined if it is accepted. `tool` is undefined
 * for an unknown name.
 */
export const argumentRefusal = (
  tool: Tool | undefined,
  given: Readonly<Record<string, unknown>>,
): LocalResponse | undefined => {
  const properties = tool?.inputSchema.properties ?? {};
  const isNamed = (name: string): boolean => Object.hasOwn(properties, name);
  if (holdsSecretKey(given, isNamed)) return KEY_REFUSED;
  if (tool === undefined) return undefined;
  const unknown = Object.keys(given).filter((name) => !isNamed(name));
  if (unknown.length === 0) return undefined;
  // A name may be a misplaced secret key, so the error repeats only plain words.
  const words = unknown.filter((name) => PRINTABLE_NAME.test(name));
  const names = Object.keys(properties);
  return {
    isError: true,
    body: {
      error: 'Validation error',
      errorCode: 'VALIDATION_ERROR',
      message: `${tool.name} has no argument ${words.length === 0 ? 'with this name' : words.join(', ')}.${words.length === 1 ? suggestName(words[0]!, names) : ''} Nothing was sent.`,
      suggestedAction:
        names.length === 0 ? 'Call it without arguments.' : `Its arguments are ${names.join(', ')}.`,
    },
  };
};

/** Makes a tool's `walletAddress` optional if the server has a wallet. */
export const withKnownWallet = (tool: Tool, walletAddress: string | undefined): Tool => {
  const { properties = {}, required = [] } = tool.inputSchema;
  const own = properties.walletAddress as { readonly description?: string } | undefined;
  if (walletAddress === undefined || own === undefined) return tool;
  const description = `${own.description ?? 'The wallet.'} Default: ${walletAddress}, the wallet that signs here.`;
  return {
    ...tool,
    inputSchema: {
      ...tool.inputSchema,
      properties: { ...properties, walletAddress: { ...own, description } },
      required: required.filter((name) => name !== 'walletAddress'),
    },
  };
};

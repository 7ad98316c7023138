// Says whether a callback URL may be registered, and whether a connection may be made to an address: one set of rules for both moments.
import { isIP } from 'node:net';
import { type AppError, validationError } from '../../kernel/app-error.ts';
import { type CallbackIpSettings, createCallbackIpRules } from './callback-ip-rules.ts';

/** The rules of one service. */
export interface CallbackUrlRules {
  /** Null: may be registered. Names are not looked up: what they mean is judged at every connection, and an outsider learns nothing of our DNS. */
  readonly validate: (callbackUrl: string) => AppError | null;
  /** Whether a connection to this address may be made: asked for every address that a name has, each time one is looked up. */
  readonly mayReach: (to: {
    readonly address: string;
    readonly protocol: string;
    readonly port: number;
  }) => boolean;
}

/** What the operator decided. */
export interface CallbackUrlSettings extends CallbackIpSettings {
  /** Ports of https targets; loopback targets may use any. */
  readonly ports: readonly number[];
}

/** Names that mean this machine or the network around it (RFC 6761, RFC 6762, RFC 8375, RFC 9476 and ICANN's `internal`). */
const LOCAL_NAME = /^[^.]*$|(?:^|\.)(?:localhost|local|internal|home\.arpa|alt)$/;
const LOCALHOST = /(?:^|\.)localhost$/;

const refused = (code: string, message: string): AppError =>
  validationError([{ path: 'callbackUrl', code, message }]);

/** The port that a URL, or a connection to one, means. */
export const portOf = ({ port, protocol }: Pick<URL, 'port' | 'protocol'>): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);

/** Its host without brackets and trailing dots. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$|\.+$/g, '');

/** Throws on a CIDR that is none. */
export const createCallbackUrlRules = (rules: CallbackUrlSettings): CallbackUrlRules => {
  const checkAddress = createCallbackIpRules(rules);
  const loopbackIsOpen = ['127.0.0.1', '::1'].some((one) => checkAddress(one) === 'opened-loopback');

  const mayReach: CallbackUrlRules['mayReach'] = ({ address, protocol, port }) => {
    const verdict = checkAddress(address);
    if (verdict === 'opened-loopback') return true;
    return verdict !== 'forbidden' && protocol === 'https:' && rules.ports.includes(port);
  };

  const checkHost = (host: string): 'loopback' | 'possible' | 'refused' => {
    if (isIP(host) !== 0) {
      const verdict = checkAddress(host);
      if (verdict === 'forbidden') return 'refused';
      return verdict === 'opened-loopback' ? 'loopback' : 'possible';
    }
    if (LOCALHOST.test(host)) return loopbackIsOpen ? 'loopback' : 'refused';
    // In a network that was opened, names may be anything; the address decides.
    return LOCAL_NAME.test(host) && rules.allowCidrs.length === 0 ? 'refused' : 'possible';
  };

  return {
    mayReach,
    validate: (callbackUrl) => {
      const url = URL.parse(callbackUrl);
      if (url === null) return refused('invalid_url', 'must be an https URL');
      const host = checkHost(hostOf(url));
      const isHttps = url.protocol === 'https:';
      if (!isHttps && !(url.protocol === 'http:' && host === 'loopback'))
        return refused('not_https', 'must be an https URL');
      if (url.username !== '' || url.password !== '')
        return refused('credentials_in_url', 'must not contain a user name or password');
      if (host === 'refused')
        return refused('target_not_allowed', 'must lead to an address of the public Internet');
      if (host !== 'loopback' && !rules.ports.includes(portOf(url)))
        return refused('port_not_allowed', `must use port ${rules.ports.join(' or ')}`);
      return null;
    },
  };
};

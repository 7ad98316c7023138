// Decides whether a callback URL may be registered and whether a connection to an address is allowed, using the
// same rules for both.
import { isIP } from 'node:net';
import { type AppError, validationError } from '../../kernel/app-error.ts';
import { type CallbackIpSettings, createCallbackIpRules } from './callback-ip-rules.ts';

export interface CallbackUrlRules {
  /**
   * Checks whether a URL may be registered. Returns null if it may. Does not resolve names, so outsiders learn
   * nothing about our DNS; addresses are checked at every connection.
   */
  readonly validate: (callbackUrl: string) => AppError | null;
  /**
   * Returns true if a connection to this address is allowed. Called for every address of a name at every
   * lookup.
   */
  readonly mayReach: (to: {
    readonly address: string;
    readonly protocol: string;
    readonly port: number;
  }) => boolean;
}

export interface CallbackUrlSettings extends CallbackIpSettings {
  /** Ports allowed for https targets. Loopback targets may use any port. */
  readonly ports: readonly number[];
}

/**
 * Matches names of this machine or the local network (RFC 6761, RFC 6762, RFC 8375, RFC 9476 and ICANN's
 * `internal`).
 */
const LOCAL_NAME = /^[^.]*$|(?:^|\.)(?:localhost|local|internal|home\.arpa|alt)$/;
const LOCALHOST = /(?:^|\.)localhost$/;

const refused = (code: string, message: string): AppError =>
  validationError([{ path: 'callbackUrl', code, message }]);

/** Returns the port of a URL, which is the default port of its protocol if it names none. */
export const portOf = ({ port, protocol }: Pick<URL, 'port' | 'protocol'>): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);

/** Returns the host of a URL without brackets and trailing dots. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$|\.+$/g, '');

/** Creates the rules. Throws on an invalid CIDR. */
export const createCallbackUrlRules = (rules: CallbackUrlSettings): CallbackUrlRules => {
  const checkAddress = createCallbackIpRules(rules);
  const loopbackIsOpen = ['127.0.0.1', '::1'].some((one) => checkAddress(one) === 'opened-loopback');

  const mayReach: CallbackUrlRules['mayReach'] = ({ address, protocol, port }) => {
    const addressClass = checkAddress(address);
    if (addressClass === 'opened-loopback') return true;
    return addressClass !== 'forbidden' && protocol === 'https:' && rules.ports.includes(port);
  };

  const checkHost = (host: string): 'loopback' | 'possible' | 'refused' => {
    if (isIP(host) !== 0) {
      const addressClass = checkAddress(host);
      if (addressClass === 'forbidden') return 'refused';
      return addressClass === 'opened-loopback' ? 'loopback' : 'possible';
    }
    if (LOCALHOST.test(host)) return loopbackIsOpen ? 'loopback' : 'refused';
    // If the operator opened a network, any name is allowed here, because its address is checked when
    // connecting.
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
      if (host === 'refused') return refused('target_not_allowed', 'must point to a public Internet address');
      if (host !== 'loopback' && !rules.ports.includes(portOf(url)))
        return refused('port_not_allowed', `must use port ${rules.ports.join(' or ')}`);
      return null;
    },
  };
};

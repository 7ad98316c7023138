// What the service promises about a secret key it was sent, in the words of every answer that needs one.
import type { Context } from '../context.ts';

/** Where the running code can be checked. */
export const codeUrl = ({ publicUrl }: Pick<Context, 'publicUrl'>): string =>
  `${publicUrl()}/api/v1/verify/code`;

/** What it depends on. */
export type KeyPolicy = Pick<Context, 'publicUrl'> & {
  readonly settings: Pick<Context['settings'], 'oneShot'>;
};

/** The `security` member of one-shot answers and the `securityModel` of wallet generation. */
export const keyHandlingStatement = (ctx: KeyPolicy) => {
  const isTaken = ctx.settings.oneShot !== 'off';
  return {
    keyUsage: isTaken
      ? 'Used in memory only to sign the transaction of a one-shot call; its bytes are overwritten before the answer is sent. The unsigned flow never needs it.'
      : 'None: this service takes no secret keys. The unsigned flow never needs one.',
    stored: false,
    logged: false,
    transport: isTaken
      ? 'Accepted over HTTPS only, or over loopback where the operator allows that.'
      : 'Not accepted at all.',
    verify: codeUrl(ctx),
  } as const;
};

// Statement on how secret keys are handled, included in every response to a call with a secret key.
import type { Context } from '../context.ts';

/** Returns the path of the operation that shows the running code. */
export const codeUrl = ({
  service: { publicUrl },
}: {
  readonly service: Pick<Context['service'], 'publicUrl'>;
}): string => `${publicUrl()}/api/v1/verify/code`;

/** The settings on which the statement depends. */
export interface KeyPolicy {
  readonly service: Pick<Context['service'], 'publicUrl'> & {
    readonly settings: Pick<Context['service']['settings'], 'oneShot'>;
  };
}

/** The `security` field of one-shot responses and the `securityModel` of wallet generation. */
export const keyHandlingStatement = (ctx: KeyPolicy) => {
  const isTaken = ctx.service.settings.oneShot !== 'off';
  return {
    keyUsage: isTaken
      ? 'Used in memory only to sign the transaction of a one-shot call; its bytes are overwritten before the response is sent. The unsigned flow never needs it.'
      : 'None: this service takes no secret keys. The unsigned flow never needs one.',
    stored: false,
    logged: false,
    transport: isTaken
      ? 'Accepted only over HTTPS, or over loopback if the operator allows it.'
      : 'Not accepted at all.',
    verify: codeUrl(ctx),
  } as const;
};

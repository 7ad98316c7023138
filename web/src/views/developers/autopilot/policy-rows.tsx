// A policy as it stands: its figures, what was offered last, and why nothing was.
import { solShort, timeText } from '../../../ui/format.ts';
import { Row, Rows } from '../../../ui/stat.tsx';
import type { OwnPolicy } from './policy-reads.ts';
import { skipWords } from './policy-words.ts';

/** A definition list. */
export const PolicyRows = ({ policy }: { policy: OwnPolicy }) => {
  const { lastSweep, lastSkip } = policy;
  return (
    <Rows>
      <Row label="Keep liquid">{solShort(policy.keepLiquidSol)} SOL</Row>
      <Row label="Offer when more than">{solShort(policy.minSweepSol)} SOL lie above it</Row>
      <Row label="Offers go to">{policy.callbackOrigin}</Row>
      <Row label="Last offer">
        <span data-last-sweep={lastSweep?.epoch ?? 'none'}>
          {lastSweep === null
            ? 'None yet'
            : `${solShort(lastSweep.amountSol)} SOL in epoch ${lastSweep.epoch}, ${timeText(lastSweep.at)}`}
        </span>
      </Row>
      {lastSkip !== null && (
        <Row label="Last time without one">
          <span data-last-skip={lastSkip.reason}>
            Epoch {lastSkip.epoch}, {timeText(lastSkip.at)}: {skipWords(lastSkip)}
          </span>
        </Row>
      )}
    </Rows>
  );
};

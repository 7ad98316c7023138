// Lists the sources of the projection: measured or expected yields, and the commission already deducted.
import type { Apy } from '../../../../client/generated/validator-operations.ts';
import { useValidator } from '../../api/shared-reads.ts';
import { percent } from '../../text/format-figures.ts';
import { Row, Rows } from '../../ui/stat.tsx';

type Source = Apy['method']['staking'];

const basisWords = (part: Source): string => {
  if (part === null) return '';
  const { source, fromEpoch, toEpoch } = part;
  if (source === 'realised')
    return fromEpoch === toEpoch
      ? `, measured in epoch ${toEpoch}`
      : `, measured in epochs ${fromEpoch}–${toEpoch}`;
  if (source === 'provider') return ', reported by a statistics provider';
  return source === 'expected' ? ', expected from Solana’s inflation' : '';
};

const yieldWords = (value: number | null, part: Source, unknown: string): string =>
  value === null ? unknown : `${percent(value)}${basisWords(part)}`;

const tipsWords = ({ jitoMevApy, method }: Apy): string =>
  method.jitoMev?.source === 'none'
    ? 'None, not shared by this validator'
    : yieldWords(jitoMevApy, method.jitoMev, 'Unknown, not included');

const commissionWords = ({ commission, jitoCommissionBps, method }: Apy): string => {
  const rewards = commission === null ? 'unknown' : percent(commission, 0);
  return jitoCommissionBps === null || method.jitoMev?.source === 'none'
    ? `${rewards} of rewards`
    : `${rewards} of rewards, ${percent(jitoCommissionBps / 100, jitoCommissionBps % 100 === 0 ? 0 : 2)} of tips`;
};

/** Three lines below the figures. */
export const ProjectionSources = () => {
  const apy = useValidator().data?.apy;
  return (
    <Rows>
      <Row label="Staking yield">
        {apy === undefined ? '–' : yieldWords(apy.stakingApy, apy.method.staking, 'Unknown')}
      </Row>
      <Row label="Tips">{apy === undefined ? '–' : tipsWords(apy)}</Row>
      <Row label="Commission, already deducted">{apy === undefined ? '–' : commissionWords(apy)}</Row>
    </Rows>
  );
};

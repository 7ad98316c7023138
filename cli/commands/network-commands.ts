// The commands about the validator, the epoch, projected rewards, and the sandbox's free SOL.

import type { ProjectedPeriod } from '../../client/generated/stake-operations.ts';
import { duration } from '../../src/domain/duration.ts';
import { readAmount, readWholeNumber } from '../amount-argument.ts';
import { type Command, printResponse } from '../command.ts';
import { formatPairs } from '../show/align-columns.ts';
import { count, instant, percent, sol, timeZone, yearlyYield, yieldInterval } from '../show/format-cells.ts';
import { noticeLines } from '../show/notice-lines.ts';
import { plain } from '../show/plain-text.ts';
import { warningLines } from './wallet-commands.ts';

export const validator: Command = {
  name: 'validator',
  summary: 'Show the validator',
  usage: '',
  takes: [0, 0],
  examples: ['validator'],
  async run(call) {
    const sent = await call.client.send('validatorProfile', {}, { signal: call.signal });
    printResponse(call, sent, (body) => [
      ...formatPairs([
        ['validator', plain(body.name ?? '-')],
        ['vote account', plain(body.voteAccount)],
        ['commission', percent(body.commission)],
        ['tip commission', percent(body.jitoCommissionBps === null ? null : body.jitoCommissionBps / 100)],
        ['yield', yearlyYield(body.apy)],
        ['80% interval', yieldInterval(body.apy)],
        ['active stake', `${sol(body.activatedStakeSol)} SOL`],
        ['delegators', count(body.delegatorCount)],
        ['rank by stake', count(body.rank)],
        ['votes', percent(body.performance.voteSuccessRate)],
        [
          'delinquent',
          body.performance.delinquent === null ? '-' : body.performance.delinquent ? 'YES' : 'no',
        ],
        ['software', plain(body.software ?? '-')],
        ['location', plain(body.location ?? '-')],
      ]),
      ...warningLines(body.warnings, call.terminal.paintOut),
    ]);
    return 'ok';
  },
};

export const epoch: Command = {
  name: 'epoch',
  summary: 'Show the current epoch, or end it (sandbox only)',
  usage: '',
  takes: [0, 0],
  options: { end: { value: 'COUNT', description: 'sandbox only: end this many epochs now' } },
  examples: ['epoch', 'epoch --end 1'],
  async run(call) {
    const ends = readWholeNumber(call.values.end, '--end', [1, 100]);
    const options = { signal: call.signal };
    if (ends !== undefined) {
      const sent = await call.client.send('sandboxEndEpochs', { count: ends }, options);
      printResponse(call, sent, (body) => [`Epoch ${body.epoch} has begun.`]);
      return 'ok';
    }
    printResponse(call, await call.client.send('epoch', {}, options), (body) =>
      formatPairs([
        ['epoch', String(body.currentEpoch)],
        ['progress', percent(body.progressPct)],
        [
          'ends in',
          `${duration(body.estimatedSecondsRemaining)} (${instant(body.estimatedEpochEnd)} ${timeZone()})`,
        ],
        ['slot time', body.slotDurationMs < 1 ? 'under 1 ms' : `${Math.round(body.slotDurationMs)} ms`],
        [
          'rewards',
          body.epochRewardsActive
            ? 'being distributed; stakes cannot be changed until this is done'
            : 'distributed',
        ],
      ]),
    );
    return 'ok';
  },
};

const bandText = ({ lowRewardSol, highRewardSol }: ProjectedPeriod): string =>
  lowRewardSol === null ? '' : ` (80% interval ${sol(lowRewardSol)} to ${sol(highRewardSol)})`;

export const simulate: Command = {
  name: 'simulate',
  summary: "Project a stake's rewards",
  usage: '<amountSol>',
  takes: [1, 1],
  options: { days: { value: 'DAYS', description: 'how far to look ahead, 1 to 3650 (default 365)' } },
  examples: ['simulate 10', 'simulate 10 --days 30'],
  async run(call) {
    const durationDays = readWholeNumber(call.values.days, '--days', [1, 3650]);
    const sent = await call.client.send(
      'simulateStake',
      { amountSol: readAmount(call.args[0]!), ...(durationDays === undefined ? {} : { durationDays }) },
      { signal: call.signal },
    );
    printResponse(call, sent, (body) => {
      const period = (name: string, part: ProjectedPeriod | undefined) =>
        part ? ([name, `${sol(part.rewardSol)} SOL${bandText(part)}`] as const) : null;
      const { projections } = body;
      return [
        ...formatPairs([
          ['stake', `${sol(body.amountSol)} SOL, of which ${sol(body.delegatedSol)} SOL earns rewards`],
          ['yield', yearlyYield({ totalApy: body.effectiveApy, atLeastApy: body.atLeastApy })],
          ['active from', `${instant(body.activation.estimatedActiveAt)} ${timeZone()}`],
          ['first reward', instant(body.activation.estimatedFirstRewardAt)],
          period('after a day', projections?.daily),
          period('after 30 days', projections?.monthly),
          period('after a year', projections?.annual),
          [1, 30, 365].includes(body.durationDays)
            ? null
            : period(`after ${body.durationDays} days`, projections?.total),
        ]),
        '',
        plain(body.recommendation),
        ...noticeLines(body.notices, call.terminal.paintOut),
      ];
    });
    return 'ok';
  },
};

export const airdrop: Command = {
  name: 'airdrop',
  summary: 'Get free SOL (sandbox only)',
  usage: '<amountSol> [wallet]',
  takes: [1, 2],
  examples: ['airdrop 10'],
  async run(call) {
    const amountSol = readAmount(call.args[0]!);
    const walletAddress = call.walletAddress(call.args[1]);
    const sent = await call.client.send(
      'sandboxAirdrop',
      { walletAddress, amountSol },
      { signal: call.signal },
    );
    printResponse(call, sent, () => [`${amountSol} SOL for ${plain(walletAddress)}`]);
    return 'ok';
  },
};

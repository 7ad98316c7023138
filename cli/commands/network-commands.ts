// The commands about the validator, the epoch, projected rewards, and the sandbox's free SOL.

import { duration } from '../../src/domain/duration.ts';
import { readAmount, readWhole } from '../amount-argument.ts';
import { type Command, printAnswer } from '../command.ts';
import { count, instant, percent, sol, yearlyYield } from '../show/format-figures.ts';
import { noticeLines } from '../show/notice-lines.ts';
import { plain } from '../show/plain-text.ts';
import { pairs } from '../show/table.ts';
import { warningLines } from './wallet-commands.ts';

/** `holdfast validator` */
export const validator: Command = {
  name: 'validator',
  summary: 'Show the validator',
  usage: '',
  takes: [0, 0],
  examples: ['validator'],
  async run(call) {
    const sent = await call.client.send('validatorProfile', {}, { signal: call.signal });
    printAnswer(call, sent, (body) => [
      ...pairs([
        ['validator', plain(body.name ?? '-')],
        ['vote account', plain(body.voteAccount)],
        ['commission', percent(body.commission)],
        ['tip commission', percent(body.jitoCommissionBps === null ? null : body.jitoCommissionBps / 100)],
        ['yield', yearlyYield(body.apy)],
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

/** `holdfast epoch` */
export const epoch: Command = {
  name: 'epoch',
  summary: 'Show the current epoch, or end it (sandbox only)',
  usage: '',
  takes: [0, 0],
  options: { end: { value: 'COUNT', description: 'sandbox only: end this many epochs now' } },
  examples: ['epoch', 'epoch --end 1'],
  async run(call) {
    const ends = readWhole(call.values.end, '--end', [1, 100]);
    const options = { signal: call.signal };
    if (ends !== undefined) {
      const sent = await call.client.send('sandboxEndEpochs', { count: ends }, options);
      printAnswer(call, sent, (body) => [`Epoch ${body.epoch} has begun.`]);
      return 'ok';
    }
    printAnswer(call, await call.client.send('epoch', {}, options), (body) =>
      pairs([
        ['epoch', String(body.currentEpoch)],
        ['progress', percent(body.progressPct)],
        ['ends in', `${duration(body.estimatedSecondsRemaining)} (${instant(body.estimatedEpochEnd)} UTC)`],
        ['slot time', `${Math.round(body.slotDurationMs)} ms`],
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

/** `holdfast simulate` */
export const simulate: Command = {
  name: 'simulate',
  summary: "Project a stake's rewards",
  usage: '<amountSol>',
  takes: [1, 1],
  options: { days: { value: 'DAYS', description: 'how far to look ahead, 1 to 3650 (default 365)' } },
  examples: ['simulate 10', 'simulate 10 --days 30'],
  async run(call) {
    const durationDays = readWhole(call.values.days, '--days', [1, 3650]);
    const sent = await call.client.send(
      'simulateStake',
      { amountSol: readAmount(call.args[0]!), ...(durationDays === undefined ? {} : { durationDays }) },
      { signal: call.signal },
    );
    printAnswer(call, sent, (body) => {
      const period = (name: string, part: { rewardSol: number } | undefined) =>
        part ? ([name, `${sol(part.rewardSol)} SOL`] as const) : null;
      const { projections } = body;
      return [
        ...pairs([
          ['stake', `${sol(body.amountSol)} SOL, of which ${sol(body.delegatedSol)} SOL earns rewards`],
          ['yield', yearlyYield({ totalApy: body.effectiveApy, atLeastApy: body.atLeastApy })],
          ['earning from', `${instant(body.activation.estimatedActiveAt)} UTC`],
          ['first reward', `${instant(body.activation.estimatedFirstRewardAt)} UTC`],
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

/** `holdfast airdrop` */
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
    printAnswer(call, sent, () => [`${amountSol} SOL for ${plain(walletAddress)}`]);
    return 'ok';
  },
};

// A wallet's stakes as a calendar (RFC 5545): when each becomes active, until when its deactivation can be
// undone, when it can be withdrawn, and when the next reward is paid. Entries keep their UID when estimates
// change.

import type { Address } from '@solana/kit';
import { type EpochPositionLike, epochTiming, estimateEpochStart } from '../epoch-clock.ts';
import { formatSol } from '../lamports.ts';
import { shortAddress } from '../short-address.ts';
import type { StakeAccount } from '../stake/stake-account.ts';
import type { StakeAssessment } from '../stake/stake-state.ts';

/** A stake account and its state. */
interface CalendarStake {
  readonly account: Pick<StakeAccount, 'address' | 'lamports' | 'delegation'>;
  readonly assessment: Pick<StakeAssessment, 'activatingLamports' | 'activeLamports' | 'withdrawableAtEpoch'>;
}

interface Entry {
  readonly uid: string;
  readonly at: string;
  readonly summary: string;
  readonly description: string;
}

/** Maximum number of octets in a line, without its line break. */
const LINE_OCTETS = 75;
const encoder = new TextEncoder();

const escaped = (text: string): string => text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n');

/** Folds long lines without splitting any character. */
const folded = (line: string): string => {
  const lines: string[] = [];
  let part = '';
  let octets = 0;
  for (const character of line) {
    const size = encoder.encode(character).length;
    if (octets + size > LINE_OCTETS) {
      lines.push(part);
      [part, octets] = [' ', 1];
    }
    part += character;
    octets += size;
  }
  return [...lines, part].join('\r\n');
};

const instant = (iso: string): string => `${iso.slice(0, 19).replace(/[-:]/g, '')}Z`;

const entriesOf = (
  wallet: Address,
  stakes: readonly CalendarStake[],
  position: EpochPositionLike,
  nowMs: number,
): readonly Entry[] => {
  const { epoch } = position;
  const timing = epochTiming(position, nowMs);
  const bounds = `Estimated from measured slot times: between ${timing.earliestEpochEnd} and ${timing.latestEpochEnd}.`;
  const later = 'Estimated from measured slot times; updated as epochs pass.';
  const next = estimateEpochStart(position, epoch + 1n, nowMs).at;
  const entries: Entry[] = [];
  for (const { account, assessment } of stakes) {
    const { address, delegation } = account;
    const amount = `${formatSol(account.lamports)} SOL`;
    const about = `Stake account ${address}.`;
    if (assessment.activatingLamports > 0n && delegation)
      entries.push({
        uid: `active-${address}-${delegation.activationEpoch}`,
        at: next,
        summary: `Stake of ${amount} becomes active`,
        description: `${about} At the start of epoch ${epoch + 1n}, at the earliest. ${bounds}`,
      });
    if (delegation?.deactivationEpoch === epoch)
      entries.push({
        uid: `undo-${address}-${epoch}`,
        // Uses the earliest estimate, because a reminder that comes too early does no harm.
        at: timing.earliestEpochEnd,
        summary: `Last chance to keep ${amount} staked`,
        description: `${about} The unstake can be canceled until epoch ${epoch} ends. ${bounds}`,
      });
    const ready = assessment.withdrawableAtEpoch;
    if (ready !== null && ready > epoch)
      entries.push({
        uid: `withdraw-${address}-${delegation?.deactivationEpoch ?? ready}`,
        at: estimateEpochStart(position, ready, nowMs).at,
        summary: `${amount} can be withdrawn`,
        description: `${about} From epoch ${ready} on. ${ready === epoch + 1n ? bounds : later}`,
      });
  }
  if (stakes.some(({ assessment }) => assessment.activeLamports > 0n))
    entries.push({
      uid: `reward-${wallet}-${epoch}`,
      at: next,
      summary: `Staking rewards of epoch ${epoch}`,
      description: `Paid within minutes after the epoch ends. ${bounds}`,
    });
  return entries;
};

/** Renders the calendar as text with CRLF line breaks. Pure. */
export const stakeCalendar = (
  wallet: Address,
  stakes: readonly CalendarStake[],
  position: EpochPositionLike,
  nowMs: number,
): string => {
  const stamp = instant(new Date(nowMs).toISOString());
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Holdfast//Stake calendar//EN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:Stake of ${shortAddress(wallet)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...entriesOf(wallet, stakes, position, nowMs).flatMap(({ uid, at, summary, description }) => [
      'BEGIN:VEVENT',
      `UID:${uid}@holdfast`,
      `DTSTAMP:${stamp}`,
      `DTSTART:${instant(at)}`,
      `SUMMARY:${escaped(summary)}`,
      `DESCRIPTION:${escaped(description)}`,
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
};

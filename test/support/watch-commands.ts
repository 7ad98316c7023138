// Adds changes by thieves, custodians and owners to the authorities, lockups and validators of stakes to the
// plans and other commands of one stake history.
import type { Address } from '@solana/kit';
import { instructionOf } from '../../src/chain/transactions/transaction.ts';
import type { MachineOperation } from '../../src/domain/machine/stake-machine-state.ts';
import { readAddressAt } from '../../src/domain/read-address-at.ts';
import type { StakeAccount } from '../../src/domain/stake/stake-account.ts';
import { PlanCommands } from './plan-commands.ts';
import { SECONDS_PER_EPOCH, type TruthWorld } from './truth-world.ts';

const SOL = 1_000_000_000n;

/** A history in which every third step is such a change. */
export class WatchCommands {
  readonly #world: TruthWorld;
  readonly #commands: PlanCommands;
  readonly #thief: Address;

  constructor(world: TruthWorld) {
    this.#world = world;
    this.#commands = new PlanCommands(world);
    this.#thief = readAddressAt(world.random.bytes(32), 0);
  }

  step(): { readonly command: string } {
    const { random } = this.#world;
    const accounts = this.#world.accounts();
    if (accounts.length === 0 || random.chance(0.6)) return this.#commands.step();
    const account = random.pick(accounts);
    const [command, operations] = random.pick([
      () => this.#authorized(account, ['staker']),
      () => this.#authorized(account, ['staker']),
      () => this.#authorized(account, ['withdrawer']),
      () => this.#authorized(account, ['staker', 'withdrawer']),
      () => this.#locked(account),
      () => this.#splitAway(account),
      () => this.#deactivated(account),
      () => this.#withdrawn(account),
      () => this.#redelegated(account),
    ])();
    const refusal = this.#world.runtime.send(operations.map(instructionOf));
    return { command: refusal === null ? command : `refused ${command}` };
  }

  #authorized(
    { address, stakeAuthority, withdrawAuthority }: StakeAccount,
    roles: readonly ('staker' | 'withdrawer')[],
  ): readonly [string, readonly MachineOperation[]] {
    const { random, keys } = this.#world;
    const authority = (role: string) =>
      role === 'withdrawer' ? withdrawAuthority : random.pick([stakeAuthority, withdrawAuthority]);
    return [
      `authorize ${roles.join(' and ')}`,
      roles.map((role) => ({
        type: 'authorize',
        account: address,
        role,
        authority: authority(role),
        newAuthority: random.pick([this.#thief, this.#thief, keys.owner, keys.staker]),
      })),
    ];
  }

  #locked({
    address,
    withdrawAuthority,
    lockup,
  }: StakeAccount): readonly [string, readonly MachineOperation[]] {
    const { random, keys, runtime } = this.#world;
    const { epoch, unixTimestamp } = runtime;
    return [
      'lock',
      [
        {
          type: 'setLockup',
          account: address,
          authority: random.pick([withdrawAuthority, lockup.custodian]),
          lockup: {
            ...(random.chance(0.5) ? { epoch: epoch + BigInt(random.int(4)) } : {}),
            ...(random.chance(0.5)
              ? { unixTimestamp: unixTimestamp + BigInt(random.int(3)) * SECONDS_PER_EPOCH }
              : {}),
            ...(random.chance(0.5)
              ? { custodian: random.pick([this.#thief, keys.custodian, keys.owner]) }
              : {}),
          },
        },
      ],
    ];
  }

  /**
   * Gives a split-off part to another wallet in the same transaction, so it is never listed for the original
   * wallet.
   */
  #splitAway(account: StakeAccount): readonly [string, readonly MachineOperation[]] {
    const { random, keys, runtime } = this.#world;
    const into = this.#world.newAddress();
    const { stakeAuthority: authority, withdrawAuthority } = account;
    const newAuthority = this.#thief;
    const lamports = random.pick([SOL, 2n * SOL, account.lamports / 2n, account.lamports]);
    const roles = random.pick([['staker'], ['withdrawer'], ['staker', 'withdrawer']] as const);
    return [
      'split away',
      [
        { type: 'create', account: into, payer: keys.owner, lamports: runtime.stakeRentLamports },
        { type: 'split', account: account.address, into, lamports, authority },
        ...roles.map(
          (role): MachineOperation => ({
            type: 'authorize',
            account: into,
            role,
            authority: withdrawAuthority,
            newAuthority,
          }),
        ),
      ],
    ];
  }

  #deactivated({ address, stakeAuthority }: StakeAccount): readonly [string, readonly MachineOperation[]] {
    return ['deactivate', [{ type: 'deactivate', account: address, authority: stakeAuthority }]];
  }

  #withdrawn({
    address,
    withdrawAuthority,
    lamports,
  }: StakeAccount): readonly [string, readonly MachineOperation[]] {
    const to = this.#world.random.pick([this.#thief, withdrawAuthority]);
    return ['close', [{ type: 'withdraw', account: address, to, lamports, authority: withdrawAuthority }]];
  }

  #redelegated({
    address,
    stakeAuthority: authority,
  }: StakeAccount): readonly [string, readonly MachineOperation[]] {
    const voteAccount = this.#world.random.pick(this.#world.keys.votes);
    return ['redelegate', [{ type: 'delegate', account: address, voteAccount, authority }]];
  }
}

// Checks stakes owned by the vault of a multisig, an address without a private key: builders require only the
// vault as a signer, and a program stakes for its vault on the real runtime.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  AccountRole,
  type Address,
  getAddressEncoder,
  getProgramDerivedAddress,
  isSignerRole,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { verifyTransactionBytes } from '../../client/verify-transaction-bytes.ts';
import { type BuiltTransaction, buildTransaction } from '../../src/chain/transactions/transaction.ts';
import { parseMessage } from '../../src/chain/transactions/wire-message.ts';
import { decodeWire } from '../../src/chain/transactions/wire-transaction.ts';
import { addressWithSeed } from '../../src/domain/address-with-seed.ts';
import { STAKE_PROGRAM, SYSTEM_PROGRAM } from '../../src/domain/instruction-programs.ts';
import { decodeStakeAccount } from '../../src/domain/stake/stake-account.ts';
import { rpc } from '../support/expired-transactions.ts';
import { SandboxStaker } from '../support/sandbox-staker.ts';
import { fund, refused } from '../support/service-calls.ts';
import { sharedService } from '../support/service-fixture.ts';
import { preparedTruth } from '../support/truth-prepared.ts';
import { throughVault, VAULT, VAULT_PROGRAM, vaultProgramImage } from '../support/vault-program.ts';
import { fundedWallet, newWallet } from '../support/wallets.ts';

const SOL = 1_000_000_000n;
const SQUADS = 'SQDS4ep65T869zMMBKyuUq6aD6EgTu8psMjkvj52pCf' as Address;
const shared = sharedService({ before, after });
const post = (path: string, body: Readonly<Record<string, unknown>>) =>
  shared().service.client.post(`/api/v1/${path}`, body);
const wireOf = (transaction: string) => decodeWire(new Uint8Array(Buffer.from(transaction, 'base64')));

/** Returns the first vault of a new multisig, derived as in Squads v4. */
const newVault = async (): Promise<Address> => {
  const bytes = getAddressEncoder();
  const createKey = newWallet().walletAddress as Address;
  const [multisig] = await getProgramDerivedAddress({
    programAddress: SQUADS,
    seeds: ['multisig', 'multisig', bytes.encode(createKey)],
  });
  const [vault] = await getProgramDerivedAddress({
    programAddress: SQUADS,
    seeds: ['multisig', bytes.encode(multisig), 'vault', Uint8Array.of(0)],
  });
  return vault;
};

const signersIn = (transaction: string): ReadonlySet<string | null> =>
  new Set(
    wireOf(transaction).instructions.flatMap(({ accounts }) =>
      accounts.filter(({ signer }) => signer).map(({ address }) => address),
    ),
  );

test('a stake is built with the vault as the only signer of its instructions, passes the verifier, and is executed', async () => {
  const { sandbox } = shared();
  const vault = await newVault();
  await fund(sandbox, vault, 10n * SOL);
  const member = await fundedWallet(sandbox, 1);
  const feePayer = member.walletAddress;
  const built = await post('stake/transaction', {
    walletAddress: vault,
    amountSol: 3,
    feePayer,
    idempotencyKey: 'vault-1',
  });
  assert.deepEqual(built.requiredSigners, [feePayer, vault]);
  assert.deepEqual([...signersIn(built.transaction)], [vault]);
  assert.ok(built.notices.some(({ code }: { code: string }) => code === 'WALLET_HAS_NO_KEY'));
  const result = verifyTransactionBytes(built.transaction, {
    wallet: vault,
    feePayer: feePayer as Address,
    voteAccount: sandbox.voteAccount as Address,
    request: { kind: 'stake', lamports: 3n * SOL },
  });
  assert.deepEqual([result.ok, result.recognized.problems], [true, []]);

  // The sandbox executes the transaction without signatures, as the multisig's program does for its vault.
  const { value } = (await rpc(sandbox, 'simulateTransaction', [
    built.transaction,
    {
      encoding: 'base64',
      sigVerify: false,
      replaceRecentBlockhash: true,
      accounts: { encoding: 'base64', addresses: [built.stakeAccountAddress] },
    },
  ])) as { value: { err: unknown; accounts: { owner: string; lamports: number; data: [string] }[] } };
  assert.equal(value.err, null);
  const [account] = value.accounts;
  const stake = decodeStakeAccount({
    address: built.stakeAccountAddress,
    owner: account!.owner as Address,
    lamports: BigInt(account!.lamports),
    data: new Uint8Array(Buffer.from(account!.data[0], 'base64')),
  });
  assert.deepEqual(
    [stake?.stakeAuthority, stake?.withdrawAuthority, stake?.delegation?.voteAccount, stake?.lamports],
    [vault, vault, sandbox.voteAccount, 3n * SOL],
  );
});

test('a stake address that occurs in any earlier transaction is refused', async () => {
  const { sandbox } = shared();
  const vault = await newVault();
  await fund(sandbox, vault, 10n * SOL);
  const request = { walletAddress: vault, amountSol: 2, idempotencyKey: 'vault-2' };
  const built = await post('stake/transaction', request);
  assert.equal((await post('stake/transaction', request)).stakeAccountAddress, built.stakeAccountAddress);
  // A transfer of zero lamports does not create an account.
  const outsider = await SandboxStaker.fund(sandbox, SOL);
  await outsider.send([
    getTransferSolInstruction({
      source: outsider.wallet,
      destination: built.stakeAccountAddress,
      amount: 0n,
    }),
  ]);
  const { status, errorCode, body } = await refused(post('stake/transaction', request));
  assert.deepEqual(
    [status, errorCode, body.reason, body.stakeAccountAddress],
    [409, 'STAKE_ADDRESS_OCCUPIED', 'VAULT_MENTIONED', built.stakeAccountAddress],
  );
});

test('a program stakes, splits by seed, deactivates and withdraws for its vault, which has no private key', async () => {
  const { runtime, keys } = preparedTruth();
  runtime.addProgram(VAULT_PROGRAM, vaultProgramImage());
  const member = newWallet().walletAddress as Address;
  for (const address of [VAULT, member])
    runtime.setAccount({ address, owner: SYSTEM_PROGRAM, lamports: 20n * SOL, data: new Uint8Array() });
  const common = { wallet: VAULT, feePayer: member, memo: 'example.org', blockhash: SYSTEM_PROGRAM };
  const [first, second] = ['first', 'second'].map((seed) => addressWithSeed(VAULT, seed, STAKE_PROGRAM)!) as [
    Address,
    Address,
  ];
  /** Executes the instructions of the built transaction through the program, signed by the member alone. */
  const execute = ({ messageBytes }: BuiltTransaction) => {
    const inner = parseMessage(messageBytes).instructions.map(({ programId, accounts, data }) => ({
      programAddress: programId,
      accounts: accounts.map(({ address, signer, writable }) => {
        const roles = [
          AccountRole.READONLY,
          AccountRole.WRITABLE,
          AccountRole.READONLY_SIGNER,
          AccountRole.WRITABLE_SIGNER,
        ];
        return { address: address!, role: roles[Number(writable) + 2 * Number(signer)]! };
      }),
      data,
    }));
    const outer = inner.map(throughVault);
    assert.ok(outer.every(({ accounts = [] }) => accounts.every(({ role }) => !isSignerRole(role))));
    return runtime.run(outer, member);
  };
  const carry = (built: BuiltTransaction) => assert.equal(execute(built), null);
  const stake = { ...common, voteAccount: keys.votes[0]!, lamports: 5n * SOL, stakeAccount: first };
  // A stake account with its own key would also have to sign.
  assert.throws(() => carry(buildTransaction.stake(stake)));
  carry(buildTransaction.stake({ ...stake, seed: 'first' }));
  const lamports = runtime.stakeRentLamports;
  const authority = VAULT;
  carry(
    buildTransaction.rearrange({
      ...common,
      operations: [
        { type: 'create', account: second, payer: VAULT, lamports, seed: 'second' },
        { type: 'split', account: first, into: second, lamports: 2n * SOL, authority },
        { type: 'deactivate', account: second, authority },
      ],
    }),
  );
  carry(buildTransaction.unstake({ ...common, stakeAccount: first }));
  // Stake that was never active can be withdrawn in the same epoch.
  for (const stakeAccount of [first, second])
    carry(
      buildTransaction.withdraw({
        ...common,
        stakeAccount,
        lamports: runtime.account(stakeAccount)!.lamports,
      }),
    );
  assert.equal(runtime.account(VAULT)!.lamports, 20n * SOL);
});

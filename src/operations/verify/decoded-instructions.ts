// Shows the instructions of any transaction, including accounts from lookup tables.
import type { Address } from '@solana/kit';
import { z } from 'zod';
import type { DecodedInstruction } from '../../domain/instruction-types.ts';

/** Instructions, as shown in verification responses. */
export const shownInstructionsSchema = z
  .array(
    z
      .object({
        program: z.string().meta({ description: "The program's name, or its address if unknown." }),
        programId: z.string(),
        name: z.string().meta({ description: "The instruction's name, or `unknown`." }),
        summary: z.string().meta({ description: 'Its effect, in one sentence.' }),
        accounts: z.array(
          z
            .object({
              address: z
                .string()
                .nullable()
                .meta({ description: 'Null if the address is in a lookup table.' }),
              role: z.string(),
              signer: z.boolean(),
              writable: z.boolean(),
            })
            .meta({ id: 'ShownAccount' }),
        ),
      })
      .meta({ id: 'ShownInstruction' }),
  )
  .meta({ description: 'Every top-level instruction, decoded from the bytes.' });

/** Removes the instructions' raw fields. */
export const showInstructions = (
  instructions: readonly DecodedInstruction<Address | null>[],
): z.input<typeof shownInstructionsSchema> =>
  instructions.map(({ program, programId, name, summary, accounts }) => ({
    program,
    programId,
    name,
    summary,
    accounts: accounts.map(({ address, role, signer, writable }) => ({ address, role, signer, writable })),
  }));

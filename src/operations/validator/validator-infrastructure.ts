// Returns the operator's description of the validator's hardware and data center. No other source has this
// information.
import { z } from 'zod';
import { notice } from '../../domain/notice.ts';
import { AppError } from '../../kernel/app-error.ts';
import { defineOperation } from '../operation.ts';
import { noticesBody, noticesMembers } from '../response-notices.ts';
import { nullableText } from './validator-response-schemas.ts';

const NOT_SAID = notice('HARDWARE_UNDESCRIBED', 'The operator has not described the hardware.');

/** `GET /api/v1/validator/infrastructure` */
export const validatorInfrastructure = defineOperation({
  name: 'validatorInfrastructure',
  summary: 'Hardware and data center',
  description:
    'CPU, memory, storage, network, data center and redundancy of the validator as its operator describes them in the profile file. Self-reported and not verified. Missing values are null.',
  effect: 'read',
  input: z.object({}),
  output: z.object({
    cpu: nullableText('Processor.'),
    memory: nullableText('Memory.'),
    storage: nullableText('Storage.'),
    network: nullableText('Network connection.'),
    datacenter: z
      .object({
        name: nullableText('Name of the data center.'),
        city: nullableText('City.'),
        country: nullableText('Country.'),
        certifications: z.array(z.string()),
      })
      .nullable(),
    redundancy: z
      .object({
        standby: z.boolean().nullable().meta({ description: 'True if a second machine can take over.' }),
        description: nullableText('How.'),
      })
      .nullable(),
    software: nullableText('Validator software.'),
    ...noticesMembers,
  }),
  errors: ['INTERNAL'],
  async run({ ctx, signal }) {
    const reading = await ctx.validator.facts.sources.profile.read(signal);
    if (!reading.ok)
      throw new AppError('INTERNAL', 'This service’s profile file cannot be read.', {
        reason: 'PROFILE_FILE',
        suggestedAction: 'The reason is in the service’s log.',
        cause: new Error(`profile file: ${reading.problems.join('; ')}`),
      });
    const { hardware } = reading.profile;
    return {
      body: {
        cpu: hardware?.cpu ?? null,
        memory: hardware?.memory ?? null,
        storage: hardware?.storage ?? null,
        network: hardware?.network ?? null,
        datacenter: hardware?.datacenter ?? null,
        redundancy: hardware?.redundancy ?? null,
        software: hardware?.software ?? null,
        ...noticesBody(hardware === null ? [NOT_SAID] : []),
      },
    };
  },
});

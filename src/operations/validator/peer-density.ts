// Shows where validators are concentrated, to help spread stake.
import { z } from 'zod';
import { computePeerDensity } from '../../domain/validator/compute-peer-density.ts';
import { AppError } from '../../kernel/app-error.ts';
import { textOf } from '../../kernel/sentence.ts';
import { NO_NETWORK_PROVIDER } from '../../validator/mev-rates.ts';
import { providerPart } from '../../validator/response-part.ts';
import { defineOperation } from '../operation.ts';
import { noticesBody, noticesMembers } from '../response-notices.ts';
import { integer } from '../shared-schemas.ts';
import { nullablePercent, nullableText } from './validator-response-schemas.ts';

const citySchema = z
  .object({
    city: z.string(),
    country: nullableText('Null if the provider has none.'),
    validatorCount: integer('Validators there.'),
    sharePct: z.number().meta({ description: 'Share of all validators, percent.' }),
    scored: integer('Active validators with a known APY, used for the median.'),
    medianApy: nullablePercent('Median APY; null with fewer than 3 scored validators.'),
  })
  .meta({ id: 'CityDensity', description: 'One city.' });

/** `GET /api/v1/network/peer-density` */
export const peerDensity = defineOperation({
  name: 'peerDensity',
  summary: 'Validators by city',
  description:
    'The 25 cities with the most validators, each with its share and the median APY of its active validators, and the city of this validator. From the statistics provider; locations are not on chain.',
  effect: 'read',
  input: z.object({}),
  output: z.object({
    cities: z.array(citySchema).meta({ description: 'Most validators first, at most 25.' }),
    validatorCity: citySchema.nullable().meta({ description: 'City of this validator; null if unknown.' }),
    globalMedianApy: nullablePercent('Median across all scored validators.'),
    totalValidators: integer('Number of validators that the provider lists.'),
    scoredValidators: integer('Number of these that are active and have a known APY.'),
    ...noticesMembers,
  }),
  errors: ['NOT_CONFIGURED', 'UPSTREAM_UNAVAILABLE'],
  async run({ ctx, signal }) {
    const { network } = ctx.validator.facts.sources;
    if (network === null)
      throw new AppError(
        'NOT_CONFIGURED',
        `${NO_NETWORK_PROVIDER.text} Only such a provider knows the cities.`,
        {
          reason: 'NO_NETWORK_PROVIDER',
          suggestedAction: 'Ask the operator of this service, who can set HOLDFAST_STAKEWIZ_URL.',
        },
      );
    const peers = await providerPart(network.validators(signal), NO_NETWORK_PROVIDER);
    if (peers.value === null)
      throw new AppError('UPSTREAM_UNAVAILABLE', 'Only the statistics provider knows the cities. {problem}', {
        reason: 'NETWORK_PROVIDER',
        params: { problem: textOf(peers.warnings) },
        suggestedAction: 'Try again in a minute.',
        retryAfterSeconds: 15,
      });
    const density = computePeerDensity(
      peers.value.map(({ voteAccount, city, country, delinquent, totalApyPct }) => ({
        voteAccount,
        city,
        country,
        delinquent,
        apyPct: totalApyPct,
      })),
      ctx.service.settings.voteAccount,
    );
    return { body: { ...density, cities: [...density.cities], ...noticesBody(peers.warnings) } };
  },
});

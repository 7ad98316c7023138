// Reads the data of the Validator view, each at the rate at which the service updates it.
import { api } from '../../api/holdfast.ts';
import { useResource } from '../../api/use-resource.ts';

const SECOND = 1_000;

/** Reads completed epochs and vote samples. */
export const useHistory = () =>
  useResource('validator/history', (signal) => api.validatorHistory({}, { signal }), 120 * SECOND);

/** Reads slots, leader slots and votes of the current epoch, which the service caches for 15 s. */
export const useLive = () =>
  useResource('validator/live', (signal) => api.validatorLive({}, { signal }), 15 * SECOND);

/** Reads validators by city. */
export const usePeers = () =>
  useResource('network/peers', (signal) => api.peerDensity({}, { signal }), 600 * SECOND);

/** Reads the machine as described by its operator. */
export const useInfrastructure = () =>
  useResource('operator/infrastructure', (signal) => api.validatorInfrastructure({}, { signal }));

/** Reads external pages about this validator. */
export const useLinks = () => useResource('verify/links', (signal) => api.verificationLinks({}, { signal }));

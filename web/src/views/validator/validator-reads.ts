// Reads of the Validator view, each at the rate at which the service updates them.
import { api } from '../../api/holdfast.ts';
import { useResource } from '../../api/use-resource.ts';

const SECOND = 1_000;

/** Completed epochs and vote samples. */
export const useHistory = () =>
  useResource('validator/history', (signal) => api.validatorHistory({}, { signal }), 120 * SECOND);

/** Slots, leader slots and votes of the current epoch; the service caches them for 15 s. */
export const useLive = () =>
  useResource('validator/live', (signal) => api.validatorLive({}, { signal }), 15 * SECOND);

/** Validators by city. */
export const usePeers = () =>
  useResource('network/peers', (signal) => api.peerDensity({}, { signal }), 600 * SECOND);

/** The machine as described by its operator. */
export const useInfrastructure = () =>
  useResource('validator/infrastructure', (signal) => api.validatorInfrastructure({}, { signal }));

/** External pages about this validator. */
export const useLinks = () => useResource('verify/links', (signal) => api.verificationLinks({}, { signal }));

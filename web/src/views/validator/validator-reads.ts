// What only the Validator view reads, each as often as the service has news.
import { api } from '../../api/holdfast.ts';
import { useResource } from '../../api/use-resource.ts';

const SECOND = 1_000;

/** Completed epochs and vote samples. */
export const useHistory = () =>
  useResource('validator/history', (signal) => api.validatorHistory({}, { signal }), 120 * SECOND);

/** Slots, leader slots and votes of the running epoch; the service caches it for 15 s. */
export const useLive = () =>
  useResource('validator/live', (signal) => api.validatorLive({}, { signal }), 15 * SECOND);

/** Where validators stand, by city. */
export const usePeers = () =>
  useResource('network/peers', (signal) => api.peerDensity({}, { signal }), 600 * SECOND);

/** The machine, as its operator describes it. */
export const useInfrastructure = () =>
  useResource('validator/infrastructure', (signal) => api.validatorInfrastructure({}, { signal }));

/** Where others tell of this validator. */
export const useLinks = () => useResource('verify/links', (signal) => api.verificationLinks({}, { signal }));

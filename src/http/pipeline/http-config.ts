// What the HTTP interface needs to know from the configuration.

/** The slice of the configuration that the HTTP interface uses. */
export interface HttpConfig {
  /** Address to bind to. */
  readonly host: string;
  /** Port to bind to; 0 takes a free one. */
  readonly port: number;
  /** URL under which others reach the service; default: the address it is bound to. */
  readonly publicUrl?: string | undefined;
  /** Further names accepted in `Host`, with or without port. */
  readonly allowedHosts: readonly string[];
  /** Addresses or CIDR ranges whose `X-Forwarded-*` headers are believed. */
  readonly trustedProxies: readonly string[];
  /** Origins of other pages that may use what browsers may use by list only. */
  readonly allowedOrigins: readonly string[];
  /** Requests per client and 60 seconds. */
  readonly rateLimit: number;
  /** The service runs its own local cluster. */
  readonly sandboxMode: boolean;
  /** Secret keys are taken over plain HTTP from this machine even outside the sandbox. */
  readonly oneShotLoopback: boolean;
  /** Page that documents the interface; default: `/docs/reference` under the public URL. */
  readonly documentationUrl?: string | undefined;
}

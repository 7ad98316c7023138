// Configuration of the HTTP interface.

export interface HttpConfig {
  /** Address to bind to. */
  readonly host: string;
  /** Port to bind to; 0 chooses a free port. */
  readonly port: number;
  /** The service's public URL. Default: the address it is bound to. */
  readonly publicUrl?: string | undefined;
  /** Additional names accepted in `Host`, with or without a port. */
  readonly allowedHosts: readonly string[];
  /** Addresses or CIDR ranges whose `X-Forwarded-*` headers are trusted. */
  readonly trustedProxies: readonly string[];
  /** Origins whose pages may use targets that are restricted to listed origins. */
  readonly allowedOrigins: readonly string[];
  /** Requests per client in any 60 seconds. */
  readonly rateLimit: number;
  /** True if the service runs its own local cluster. */
  readonly sandboxMode: boolean;
  /** True if secret keys are accepted over plain HTTP from this machine even outside the sandbox. */
  readonly oneShotLoopback: boolean;
  /** URL of the page that documents the interface. Default: `/docs/reference` below the public URL. */
  readonly documentationUrl?: string | undefined;
}

// Names the interfaces through which a transaction reached the service.

/** Display names of the service's interfaces. */
export const interfaceWords: Readonly<Record<string, string>> = {
  rest: 'API',
  page: 'page',
  client: 'client',
  cli: 'command line',
  'mcp-stdio': 'local agent',
  mcp: 'agent',
  actions: 'Action',
  chain: 'memo on chain',
};

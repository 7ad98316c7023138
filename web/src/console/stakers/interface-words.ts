// Names the interfaces through which a transaction reached the service.

/** Words by interface. */
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

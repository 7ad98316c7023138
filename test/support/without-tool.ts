// Operations that agents do not get as a tool, each with the reason: the interface fixes its tools, and an operation without one must say why.

/** Reason by operation name. */
export const WITHOUT_TOOL: Readonly<Record<string, string>> = {
  listDelegators: 'The operator console, which takes his token and is never under MCP.',
  showDelegator: 'The operator console, which takes his token and is never under MCP.',
  showStakeFlows: 'The operator console, which takes his token and is never under MCP.',
  showServiceHealth: 'The operator console, which takes his token and is never under MCP.',
  listDeadLetters: 'The operator console, which takes his token and is never under MCP.',
  replayDeadLetter: 'The operator console, which takes his token and is never under MCP.',
  listSubmissions: 'The operator console, which takes his token and is never under MCP.',
  createUndoTransaction: 'plan_stake_change undoes with the goal undo.',
  previewUnstake: 'plan_stake_change says the nearest amounts and shows the plan.',
  analytics: 'Statistics of the service, for its operator and its page.',
  health: 'For whoever runs the service; an agent that gets an answer knows that it is there.',
  ready: 'For whoever runs the service.',
  transactionState:
    'submit_transaction waits for the end and can be repeated; verify_transaction tells of what landed.',
  readSignLink: 'For the page that a sign link opens.',
  verifyStakeTransaction:
    'Checking the bytes with the service that built them proves nothing; the stand-alone verifier does, on the signer’s machine.',
  sourceFile: 'A whole source file is no answer for an agent; verify_code_integrity links to it.',
  stakingRewards:
    'Rewards by epoch are a table for people and accountants; get_staking_summary tells what a wallet earns.',
  walletHistory:
    'A history is for people; check_stake_accounts and verify_transaction tell what matters next.',
  validatorHistory:
    'Past epochs are for charts; get_performance_metrics and get_staking_apy tell what they add up to.',
  validatorAlerts: 'Tools that stake warn of the validator themselves; the list is for people and the page.',
  validatorLive: 'It is the resource holdfast://validator/status.',
  peerDensity: 'Where other validators stand is for the page.',
  listDeliveries: 'Looking after webhooks needs their secret, which no model should hold.',
  replayDeliveries: 'Looking after webhooks needs their secret, which no model should hold.',
  pingWebhook: 'Looking after webhooks needs their secret, which no model should hold.',
  rotateWebhookSecret: 'Looking after webhooks needs their secret, which no model should hold.',
  restoreWebhook: 'Looking after webhooks needs their secret, which no model should hold.',
  describeSandbox:
    'The sandbox’s controls are for people and tests; an agent must not make SOL or end epochs.',
  sandboxAirdrop:
    'The sandbox’s controls are for people and tests; an agent must not make SOL or end epochs.',
  sandboxEndEpochs:
    'The sandbox’s controls are for people and tests; an agent must not make SOL or end epochs.',
  sandboxValidator:
    'The sandbox’s controls are for people and tests; an agent must not have its validator misbehave.',
};

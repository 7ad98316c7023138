// Operations that agents do not get as a tool, each with the reason: the interface fixes its tools, and an
// operation without one must say why.

/** Reason by operation name. */
export const WITHOUT_TOOL: Readonly<Record<string, string>> = {
  listDelegators: 'The operator console needs the operator’s token and is never served over MCP.',
  showDelegator: 'The operator console needs the operator’s token and is never served over MCP.',
  showStakeFlows: 'The operator console needs the operator’s token and is never served over MCP.',
  showServiceHealth: 'The operator console needs the operator’s token and is never served over MCP.',
  listDeadLetters: 'The operator console needs the operator’s token and is never served over MCP.',
  replayDeadLetter: 'The operator console needs the operator’s token and is never served over MCP.',
  listSubmissions: 'The operator console needs the operator’s token and is never served over MCP.',
  createUndoTransaction: 'plan_stake_change undoes with the goal undo.',
  previewUnstake: 'plan_stake_change reports the nearest amounts and shows the plan.',
  analytics: 'Statistics of the service, for its operator and its page.',
  health: 'For operators; an agent that gets an answer already knows that the service is up.',
  ready: 'For operators.',
  transactionState:
    'submit_transaction waits for the end and can be repeated; verify_transaction tells of what landed.',
  readSignLink: 'For the page that a sign link opens.',
  verifyStakeTransaction:
    'Checking the bytes with the service that built them proves nothing; the stand-alone verifier does, on the signer’s machine.',
  sourceFile: 'A whole source file is not useful to an agent; verify_code_integrity links to it.',
  stakingRewards:
    'Rewards by epoch are a table for people and accountants; get_staking_summary reports a wallet’s earnings.',
  walletHistory:
    'A history is for people; check_stake_accounts and verify_transaction report what matters next.',
  validatorHistory: 'Past epochs are for charts; get_performance_metrics and get_staking_apy summarise them.',
  validatorAlerts: 'Tools that stake warn of the validator themselves; the list is for people and the page.',
  validatorLive: 'It is the resource holdfast://validator/status.',
  peerDensity: 'The locations of other validators are for the page.',
  listDeliveries: 'Managing webhooks needs their secret, which no model should have.',
  replayDeliveries: 'Managing webhooks needs their secret, which no model should have.',
  pingWebhook: 'Managing webhooks needs their secret, which no model should have.',
  rotateWebhookSecret: 'Managing webhooks needs their secret, which no model should have.',
  restoreWebhook: 'Managing webhooks needs their secret, which no model should have.',
  describeSandbox:
    'The sandbox’s controls are for people and tests; an agent must not create SOL or end epochs.',
  sandboxAirdrop:
    'The sandbox’s controls are for people and tests; an agent must not create SOL or end epochs.',
  sandboxEndEpochs:
    'The sandbox’s controls are for people and tests; an agent must not create SOL or end epochs.',
  sandboxValidator:
    'The sandbox’s controls are for people and tests; an agent must not have its validator misbehave.',
};

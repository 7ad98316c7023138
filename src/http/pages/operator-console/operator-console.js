// The console in the browser: asks this listener alone, with the token that the operator typed, and shows what it answers as text.
const TOKEN = 'holdfast-operator-token';
const REFRESH_MS = 10_000;
const find = (id) => document.getElementById(id);

/** An element with its attributes and children; text is text, whoever wrote it. */
const make = (name, attributes = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    if (key === 'onclick') element.addEventListener('click', value);
    else if (value !== null) element.setAttribute(key, value);
  element.append(...children.map((child) => (child instanceof Node ? child : String(child ?? '–'))));
  return element;
};

const amounts = new Intl.NumberFormat(undefined, { maximumFractionDigits: 4 });
/** A reward is often less than that: every lamport of it is shown. */
const small = new Intl.NumberFormat(undefined, { maximumFractionDigits: 9 });
const sol = (value) =>
  value === null ? '–' : `${(Math.abs(value) < 1 ? small : amounts).format(value)} SOL`;
const instant = (text) => (text === null ? '–' : new Date(text).toLocaleString());
const short = (address) => (address.length > 12 ? `${address.slice(0, 5)}…${address.slice(-5)}` : address);

class Refused extends Error {}

const call = async (path, init = {}) => {
  const answer = await fetch(`/api/v1/operator/${path}`, {
    ...init,
    headers: { ...init.headers, authorization: `Bearer ${sessionStorage.getItem(TOKEN) ?? ''}` },
  });
  if (answer.status === 401) throw new Refused();
  if (!answer.ok) throw new Error((await answer.json()).message);
  return answer;
};
const read = async (path) => (await call(path)).json();

/** A table; `columns` are [title, cell of a row, is a number, sort key]. */
const fill = (table, columns, rows, { sorting = null, empty = 'None.' } = {}) => {
  const head = columns.map(([title, , isNumber, key]) => {
    const isSorted = sorting !== null && key === sorting.sort;
    const mark = isSorted ? (sorting.order === 'asc' ? ' ▲' : ' ▼') : '';
    return make(
      'th',
      {
        scope: 'col',
        class: isNumber ? 'number' : null,
        'aria-sort': isSorted ? (sorting.order === 'asc' ? 'ascending' : 'descending') : null,
      },
      key ? make('button', { type: 'button', onclick: () => sorting.by(key) }, title + mark) : title,
    );
  });
  const body = rows.map((row) =>
    make(
      'tr',
      {},
      ...columns.map(([, cell, isNumber]) => make('td', { class: isNumber ? 'number' : null }, cell(row))),
    ),
  );
  if (body.length === 0)
    body.push(make('tr', {}, make('td', { colspan: columns.length, class: 'empty' }, empty)));
  table.replaceChildren(make('thead', {}, make('tr', {}, ...head)), make('tbody', {}, ...body));
};

const addressButton = (address) =>
  address === null
    ? '–'
    : make(
        'button',
        {
          type: 'button',
          class: 'address',
          title: address,
          onclick: () => attempt(() => showDetails(address)),
        },
        short(address),
      );

const STATES = { active: 'Active', activating: 'Activating', deactivating: 'Leaving', inactive: 'Inactive' };
const KINDS = {
  joined: 'Joined',
  delegated: 'Delegated again',
  leaving: 'Leaving',
  stayed: 'Stayed: deactivation undone',
  stake_changed: 'Split, merged or moved',
  withdrawer_changed: 'Withdraw authority changed',
  staker_changed: 'Stake authority changed',
  left: 'Gone',
};

const accountColumns = [
  ['Account', (row) => addressButton(row.stakeAccountAddress), false, 'account'],
  ['Wallet', (row) => addressButton(row.walletAddress), false, 'wallet'],
  ['Stake', (row) => (row.state === 'inactive' ? '–' : sol(row.stakeSol)), true, 'stake'],
  ['Share', (row) => (row.sharePct === 0 ? '–' : `${row.sharePct.toFixed(2)} %`), true],
  ['State', (row) => STATES[row.state]],
  ['Staked since epoch', (row) => row.activationEpoch ?? 'genesis', true],
  ['First seen', (row) => instant(row.firstSeenAt), false, 'firstSeen'],
  ['Through this service', (row) => (row.throughThisService ? `Yes, ${row.wayIn}` : 'No')],
];
const changeColumns = [
  ['When', (row) => instant(row.at)],
  ['Epoch', (row) => row.epoch, true],
  ['What', (row) => KINDS[row.kind] ?? row.kind],
  ['Stake', (row) => sol(row.stakeSol), true],
  ['Wallet', (row) => addressButton(row.walletAddress)],
  ['Account', (row) => addressButton(row.stakeAccountAddress)],
];

const listed = { sort: 'stake', order: 'desc', rows: [], cursor: null };

const delegatorsQuery = (more) => {
  const query = new URLSearchParams(more);
  const search = find('search').value.trim();
  if (search !== '') query.set('search', search);
  if (find('shown').value !== '') query.set('state', find('shown').value);
  return query;
};

const showDelegators = async (isMore = false) => {
  const query = delegatorsQuery({ sort: listed.sort, order: listed.order });
  if (isMore) query.set('cursor', listed.cursor);
  const page = await read(`delegators?${query}`);
  listed.rows = isMore ? [...listed.rows, ...page.delegators] : page.delegators;
  listed.cursor = page.nextCursor;
  find('more').hidden = listed.cursor === null;
  const by = (key) => {
    listed.order = listed.sort === key && listed.order === 'desc' ? 'asc' : 'desc';
    listed.sort = key;
    void attempt(showDelegators);
  };
  fill(find('delegators'), accountColumns, listed.rows, {
    sorting: { sort: listed.sort, order: listed.order, by },
    empty: 'No account fits.',
  });
};

const download = async () => {
  const blob = await (await call(`delegators?${delegatorsQuery({ format: 'csv' })}`)).blob();
  const link = make('a', { href: URL.createObjectURL(blob), download: 'delegators.csv' });
  link.click();
  URL.revokeObjectURL(link.href);
};

const showDetails = async (address) => {
  const { delegators, history } = await read(`delegators/${address}`);
  find('details-title').textContent = address;
  const [accounts, changes] = [make('table'), make('table')];
  fill(
    accounts,
    accountColumns.map(([title, cell, isNumber]) => [title, cell, isNumber]),
    delegators,
    { empty: 'Nothing is delegated now.' },
  );
  fill(changes, changeColumns, history, { empty: 'Nothing was noted since it was first seen.' });
  const scroll = (label, table) =>
    make('section', { class: 'scroll', tabindex: '0', 'aria-label': label }, table);
  find('details-body').replaceChildren(
    scroll('Accounts', accounts),
    make('h3', {}, 'History'),
    scroll('History', changes),
  );
  if (!find('details').open) find('details').showModal();
};

const showStake = async () => {
  const stake = await read('stake');
  const { currentEpoch, estimatedEpochEnd } = stake.epochTiming;
  const figures = [
    ['Stake now', sol(stake.activeSol)],
    ['Next epoch, before rewards', sol(stake.nextActiveSol)],
    ['Coming in', sol(stake.activatingSol)],
    ['Leaving', sol(stake.deactivatingSol)],
    [
      'Delegators',
      `${stake.delegators} (${stake.accounts} ${stake.accounts === 1 ? 'account' : 'accounts'})`,
    ],
    [`Epoch ${currentEpoch} ends about`, instant(estimatedEpochEnd)],
  ];
  find('figures').replaceChildren(
    ...figures.map(([title, value]) => make('div', {}, make('dt', {}, title), make('dd', {}, value))),
  );
  find('state').textContent = stake.isSettled
    ? ''
    : 'A boundary has just passed; figures are being read again.';
  fill(
    find('epochs'),
    [
      ['Epoch', (row) => row.epoch, true],
      ['Stake', (row) => sol(row.activeSol), true],
      ['In at its end', (row) => sol(row.inSol), true],
      ['Out at its end', (row) => sol(row.outSol), true],
      ['Rewards', (row) => sol(row.rewardsSol), true],
      ['Delegators', (row) => row.delegators, true],
      ['Accounts', (row) => row.accounts, true],
    ],
    stake.epochs,
    { empty: 'No epoch was looked at yet.' },
  );
  fill(find('changes'), changeColumns, stake.changes, {
    empty: 'Nothing has changed since the list began.',
  });
};

const showHealth = async () => {
  const { dependencies } = await read('health');
  const rows = dependencies.flatMap((one) => [
    one,
    ...(one.details.nodes ?? []).map(({ origin, ok, lastError, role, latencyMs }) => ({
      name: `${role} node ${origin}`,
      ...{ ok, error: lastError, ageSeconds: null, details: { latencyMs } },
    })),
  ]);
  fill(
    find('dependencies'),
    [
      ['Part', (row) => row.name],
      ['State', (row) => (row.ok ? 'Well' : make('strong', { class: 'bad' }, 'Not well'))],
      ['Says', (row) => make('span', { class: 'says' }, row.error)],
      ['Last seen', (row) => (row.ageSeconds === null ? '–' : `${row.ageSeconds} s ago`), true],
      ['Figures', (row) => detailsText(row.details)],
    ],
    rows,
  );
  // Seen from the top of the page too.
  const faults = dependencies.filter(({ ok }) => !ok).length;
  find('health-link').textContent = faults === 0 ? 'Health' : `Health: ${faults} not well`;
  find('health-link').classList.toggle('bad', faults > 0);
};

const detailsText = (details) =>
  Object.entries(details)
    .filter(([, value]) => value !== null && typeof value !== 'object')
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');

const showLetters = async () => {
  const { deadLetters } = await read('dead-letters');
  fill(
    find('letters'),
    [
      ['When', (row) => instant(row.timestamp)],
      ['What', (row) => row.type],
      ['Wallet', (row) => (row.walletAddress === null ? '–' : short(row.walletAddress))],
      ['Receiver', (row) => row.callbackHost],
      ['Last attempt', (row) => [row.lastOutcome, row.lastStatus].filter((one) => one !== null).join(' ')],
      ['Attempts', (row) => row.attempts, true],
      [
        'Again',
        (row) =>
          row.webhookDisabled === null
            ? make('button', { type: 'button', onclick: () => attempt(() => replay(row)) }, 'Send again')
            : `Webhook ${row.webhookDisabled}`,
      ],
    ],
    deadLetters,
    { empty: 'Every delivery was accepted or is still being tried.' },
  );
};

const replay = async ({ webhookId, id }) => {
  await call('dead-letters/replay', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ webhookId, id }),
  });
  await showLetters();
};

const showSubmissions = async () => {
  const { submissions } = await read('submissions');
  fill(
    find('submitted'),
    [
      ['When', (row) => instant(row.createdAt)],
      ['Operation', (row) => row.operation],
      ['Through', (row) => row.source],
      ['Wallet', (row) => short(row.walletAddress)],
      ['Signature', (row) => make('span', { title: row.signature }, short(row.signature))],
      [
        'State',
        (row) =>
          ['failed', 'refused', 'expired'].includes(row.state)
            ? make('strong', { class: 'bad' }, row.state)
            : row.state,
      ],
      ['Slot', (row) => row.slot, true],
    ],
    submissions,
  );
};

const lock = (message) => {
  sessionStorage.removeItem(TOKEN);
  find('console').hidden = true;
  find('unlock').hidden = false;
  find('refused').textContent = message;
  find('token').focus();
};

/** Runs `work`; shows a failure, and asks for the token again if it was refused. */
const attempt = async (work) => {
  try {
    await work();
    return true;
  } catch (error) {
    if (error instanceof Refused)
      lock(sessionStorage.getItem(TOKEN) ? 'This is not the token in the file.' : '');
    else find('state').textContent = `Not up to date: ${error.message}`;
    return false;
  }
};

const showAll = async () => {
  await showStake();
  await Promise.all([showDelegators(), showHealth(), showLetters(), showSubmissions()]);
};

const open = async () => {
  if (!(await attempt(showAll)) && sessionStorage.getItem(TOKEN) === null) return;
  find('unlock').hidden = true;
  find('console').hidden = false;
};

find('unlock').addEventListener('submit', (event) => {
  event.preventDefault();
  sessionStorage.setItem(TOKEN, find('token').value.trim());
  find('token').value = '';
  find('refused').textContent = '';
  void open();
});
// Wide tables are scrolled by keyboard too.
for (const part of document.querySelectorAll('.scroll')) part.tabIndex = 0;
let typing;
find('search').addEventListener('input', () => {
  clearTimeout(typing);
  typing = setTimeout(() => attempt(showDelegators), 250);
});
find('shown').addEventListener('change', () => attempt(showDelegators));
find('more').addEventListener('click', () => attempt(() => showDelegators(true)));
find('export').addEventListener('click', () => attempt(download));
setInterval(() => {
  if (find('console').hidden || document.hidden) return;
  // The list of delegators stays as it is sorted and paged by whoever reads it.
  void attempt(() => Promise.all([showStake(), showHealth(), showLetters(), showSubmissions()]));
}, REFRESH_MS);
if (sessionStorage.getItem(TOKEN) === null) lock('');
else void open();

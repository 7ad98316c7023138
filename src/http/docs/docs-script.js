// Optional features of the documentation in browsers with scripts: theme, search, copy buttons, tabs, and the
// menu on small screens. Everything is readable without scripts.
(() => {
  const make = (name, properties, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };

  // The theme chosen here or on the page, which stores it under the same name.
  const THEME = 'holdfast-theme';
  const NEXT_THEME = { system: 'light', light: 'dark', dark: 'system' };
  const themeButton = document.querySelector('.theme');
  const showTheme = (theme) => {
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    themeButton.textContent = `Theme: ${theme}`;
  };
  const readTheme = () => {
    try {
      const stored = localStorage.getItem(THEME);
      return Object.hasOwn(NEXT_THEME, stored) ? stored : 'system';
    } catch {
      return 'system';
    }
  };
  let theme = readTheme();
  showTheme(theme);
  themeButton.hidden = false;
  themeButton.addEventListener('click', () => {
    theme = NEXT_THEME[theme];
    showTheme(theme);
    try {
      if (theme === 'system') localStorage.removeItem(THEME);
      else localStorage.setItem(THEME, theme);
    } catch {
      // Without storage, the choice only applies to this page.
    }
  });

  // Addresses of the reference that older responses contain.
  if (
    location.pathname === '/docs' &&
    location.hash.length > 1 &&
    !document.getElementById(location.hash.slice(1))
  )
    location.replace(`/docs/reference${location.hash}`);

  // Older links name an operation on the reference's index. Its section is now on a separate page.
  if (location.pathname === '/docs/reference' && location.hash.length > 1) {
    const entry = document.getElementById(location.hash.slice(1));
    const link = entry?.matches('.entries > li') ? entry.querySelector('a') : null;
    if (link !== null) location.replace(link.href);
  }

  // Highlights comments, strings and keywords of the language. JSON responses stay plain.
  const TOKENS =
    /((?:^|(?<=\s))(?:\/\/|#).*)|("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\])*')|\b(import|from|export|const|let|await|async|return|if|throw|new|for|of|try|catch|curl|npm|npx|node|holdfast)\b(?![\w.:/-])/gm;
  const mark = (code) => {
    const text = code.textContent;
    if (/^\s*[[{<]/.test(text)) return;
    const parts = [];
    let end = 0;
    for (const { 0: token, 1: comment, 2: quoted, index } of text.matchAll(TOKENS)) {
      const className = comment ? 'comment' : quoted ? 'text' : 'word';
      parts.push(text.slice(end, index), make('span', { className, textContent: token }));
      end = index + token.length;
    }
    code.replaceChildren(...parts, text.slice(end));
  };

  for (const block of document.querySelectorAll('pre')) {
    for (const code of block.querySelectorAll('code')) mark(code);
    const button = make('button', { type: 'button', textContent: 'Copy' });
    button.setAttribute('aria-label', `Copy: ${block.getAttribute('aria-label') ?? 'code'}`);
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(block.innerText);
        button.textContent = 'Copied';
      } catch {
        getSelection()?.selectAllChildren(block);
        button.textContent = 'Press Ctrl+C';
      }
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 2_000);
    });
    const holder = make('div', { className: 'code' });
    block.replaceWith(holder);
    holder.append(block, button);
  }

  const groups = [...document.querySelectorAll('.tabs')].map((group, number) => {
    const panels = [...group.querySelectorAll('.tab')];
    const list = make('div');
    list.setAttribute('role', 'tablist');
    list.setAttribute('aria-label', `Variants ${number + 1}`);
    const tabs = panels.map((panel, index) => {
      const tab = make('button', {
        type: 'button',
        id: `tab-${number}-${index}`,
        textContent: panel.dataset.label,
      });
      tab.setAttribute('role', 'tab');
      panel.id = `panel-${number}-${index}`;
      panel.setAttribute('role', 'tabpanel');
      panel.setAttribute('aria-labelledby', tab.id);
      tab.setAttribute('aria-controls', panel.id);
      tab.addEventListener('click', () => chooseEverywhere(panel.dataset.label));
      tab.addEventListener('keydown', ({ key }) => {
        const to = { ArrowRight: 1, ArrowLeft: -1 }[key];
        if (to === undefined) return;
        const next = tabs.at((index + to) % tabs.length);
        next.click();
        next.focus();
      });
      return tab;
    });
    list.append(...tabs);
    group.prepend(list);
    group.classList.add('has-tabs');
    const choose = (label) => {
      if (!panels.some((panel) => panel.dataset.label === label)) return;
      panels.forEach((panel, index) => {
        const chosen = panel.dataset.label === label;
        panel.hidden = !chosen;
        tabs[index].setAttribute('aria-selected', String(chosen));
        tabs[index].tabIndex = chosen ? 0 : -1;
      });
    };
    choose(panels[0].dataset.label);
    return choose;
  });
  const LANGUAGE = 'holdfast-docs-language';
  const chooseEverywhere = (label) => {
    for (const choose of groups) choose(label);
    try {
      localStorage.setItem(LANGUAGE, label);
    } catch {
      // Without storage, the choice only applies to this page.
    }
  };
  try {
    const remembered = localStorage.getItem(LANGUAGE);
    if (remembered !== null) for (const choose of groups) choose(remembered);
  } catch {
    // Without storage, every page starts with the first variant.
  }

  const menu = document.querySelector('nav details');
  const narrow = matchMedia('(max-width: 56rem)');
  const fitMenu = () => {
    menu.open = !narrow.matches;
  };
  fitMenu();
  narrow.addEventListener('change', fitMenu);
  if (!narrow.matches) document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest' });

  // Highlights the menu entry of the section that is being read.
  const parts = [...document.querySelectorAll('nav .sections a')].map((link) => ({
    link,
    section: document.getElementById(link.hash.slice(1)),
  }));
  const inView = new Set();
  const observer = new IntersectionObserver(
    (changes) => {
      for (const { target, isIntersecting } of changes) inView[isIntersecting ? 'add' : 'delete'](target);
      const read = parts.find(({ section }) => inView.has(section));
      if (read === undefined) return;
      for (const { link } of parts) link.removeAttribute('aria-current');
      read.link.setAttribute('aria-current', 'location');
      const [line, frame] = [read.link, menu].map((element) => element.getBoundingClientRect());
      if (line.top < frame.top) menu.scrollTop -= frame.top - line.top;
      else if (line.bottom > frame.bottom) menu.scrollTop += line.bottom - frame.bottom;
    },
    // The upper part of the window, below the header. A section that starts there counts as being read.
    { rootMargin: '-96px 0px -70% 0px' },
  );
  for (const { section } of parts) observer.observe(section);

  const form = document.querySelector('.search');
  const input = form.querySelector('input');
  const results = form.querySelector('.results');
  const status = form.querySelector('[role="status"]');
  let entries;
  form.hidden = false;
  const load = () => {
    entries ??= fetch('/docs/search.json')
      .then((response) => response.json())
      .then((all) =>
        all.map((entry) => ({
          ...entry,
          tokens: new Set(`${entry.title} ${entry.place} ${entry.text}`.toLowerCase().match(/[\w-]+/g)),
        })),
      );
    return entries;
  };

  /** True if one typing error separates the words: a letter that is wrong, missing, added, or swapped with the next. */
  const isNear = (a, b) => {
    let [start, end] = [0, 0];
    while (start < a.length && a[start] === b[start]) start += 1;
    const most = Math.min(a.length, b.length) - start;
    while (end < most && a.at(-1 - end) === b.at(-1 - end)) end += 1;
    const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
    return (
      (left.length <= 1 && right.length <= 1) ||
      (left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0])
    );
  };
  const SHORTEST_WITH_ERROR = 4;
  /** The words of the index that a misspelled word may mean; the word itself if it occurs. */
  const meantBy = (word, all) => {
    if (word.length < SHORTEST_WITH_ERROR) return [word];
    const hasWord = ({ title, place, text, names = [] }) =>
      names.includes(word) || `${title} ${place} ${text}`.toLowerCase().includes(word);
    if (all.some(hasWord)) return [word];
    const near = new Set();
    for (const { tokens } of all)
      for (const token of tokens)
        for (const length of [token.length, word.length - 1, word.length, word.length + 1])
          if (length <= token.length && isNear(word, token.slice(0, length)))
            near.add(token.slice(0, length));
    return near.size === 0 ? [word] : [...near];
  };

  /** Common words that the documentation does not use, with its own. */
  const OTHER_WORDS = new Map([
    ['redeliver', 'replay'],
    ['resend', 'replay'],
    ['throttled', '429'],
    ['throttling', '429'],
    ['tax', "wallet's rewards"],
    ['taxes', "wallet's rewards"],
    ['verification', 'verify'],
  ]);

  const SNIPPET = 90;
  /** The part of the text around its first match, with all matches marked. */
  const snippetOf = ({ text }, words) => {
    const lower = text.toLowerCase();
    const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
    const from = places.length === 0 ? 0 : Math.max(0, Math.min(...places) - SNIPPET / 3);
    const start = from === 0 ? 0 : text.indexOf(' ', from) + 1;
    const shown = text.slice(start, start + SNIPPET);
    const parts = [start > 0 ? '… ' : ''];
    for (let at = 0; at < shown.length; ) {
      const next = words
        .map((word) => [shown.toLowerCase().indexOf(word, at), word.length])
        .filter(([place]) => place >= 0)
        .sort((a, b) => a[0] - b[0] || b[1] - a[1])[0];
      const [place, length] = next ?? [shown.length, 0];
      parts.push(shown.slice(at, place));
      if (length > 0) parts.push(make('mark', { textContent: shown.slice(place, place + length) }));
      at = place + length;
    }
    return [...parts, start + SNIPPET < text.length ? ' …' : ''];
  };
  const hide = () => {
    results.hidden = true;
    status.textContent = '';
  };
  const show = async () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return hide();
    const asked = input.value;
    const all = await load().catch(() => []);
    const meanings = words.map((word) => [
      ...meantBy(word, all),
      ...(OTHER_WORDS.has(word) ? [OTHER_WORDS.get(word)] : []),
    ]);
    const meant = meanings.flat();
    // A slow first load must not replace the results of a later input.
    if (input.value !== asked) return;
    const scored = all
      .map((entry) => {
        const title = entry.title.toLowerCase();
        // The name, path and MCP tool of an operation.
        const names = entry.names ?? [];
        const text = `${entry.place} ${entry.text}`.toLowerCase();
        // A whole word ranks higher than the beginning of a name: "stake" finds staking before STAKE_LOCKED.
        const whole = title.split(/[^\w-]+/);
        // The path of an operation, the status and title of an error, or the guide of a section.
        const place = entry.place.toLowerCase().split(/[^\w-]+/);
        const scoreOf = (word) => {
          if (names.includes(word)) return 10;
          if (title === word) return 9;
          if (whole.includes(word)) return 6;
          if (title.startsWith(word)) return 5;
          if (place.includes(word)) return 4;
          if (title.includes(word)) return 3;
          return text.includes(word) ? 1 : 0;
        };
        const scores = meanings.map((meaning) => Math.max(...meaning.map(scoreOf)));
        const score = scores.includes(0) ? 0 : scores.reduce((sum, one) => sum + one);
        // An operation comes before its aliases.
        return { entry, score: title.includes('(alias)') ? score / 2 : score };
      })
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, 12);
    status.textContent = scored.length === 0 ? 'Nothing found' : `${scored.length} results`;
    results.replaceChildren(
      ...scored.map(({ entry }) =>
        make(
          'li',
          {},
          make(
            'a',
            { href: entry.href },
            entry.title,
            make('small', { textContent: entry.place }),
            make('small', { className: 'snippet' }, ...snippetOf(entry, meant)),
          ),
        ),
      ),
      ...(scored.length === 0 ? [make('li', {}, make('p', { textContent: 'Nothing found.' }))] : []),
    );
    results.hidden = false;
  };
  input.addEventListener('focus', load);
  input.addEventListener('input', show);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    results.querySelector('a')?.click();
  });
  form.addEventListener('keydown', (event) => {
    const links = [input, ...results.querySelectorAll('a')];
    const at = links.indexOf(document.activeElement);
    if (event.key === 'Escape') {
      input.focus();
      hide();
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      links.at((at + (event.key === 'ArrowDown' ? 1 : -1)) % links.length)?.focus();
    }
  });
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!form.contains(relatedTarget)) hide();
  });
  results.addEventListener('click', hide);
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || /^(INPUT|TEXTAREA)$/.test(document.activeElement?.tagName ?? '')) return;
    event.preventDefault();
    input.focus();
    // A result on the same page leaves the last search in the field.
    input.select();
  });
})();

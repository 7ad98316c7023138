// An operator's profile with every part of a brand, and a logo that tries to run a script.

/** A violet star with a script that must never run. */
export const LOGO = `<?xml version="1.0"?>
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" onload="document.documentElement.dataset.ran='onload'">
<style>.ground{fill:#5b3dc4}</style>
<rect class="ground" width="64" height="64" rx="16"/>
<path fill="#b8f2e6" d="M32 10l6 16 16 6-16 6-6 16-6-16-16-6 16-6z"/>
<script>document.documentElement.dataset.ran='script'</script>
</svg>
`;

/** Content of the profile file, which is stored next to `logo.svg` and `preview.png`. */
export const brandProfile = {
  name: 'Aurora',
  logo: 'logo.svg',
  accentColor: { light: '#5b3dc4', dark: '#b3a1ff' },
  hero: 'Northern light for your stake. Run by two people you can write to.',
  description: 'An independent validator in Tromsø, Norway.',
  website: 'https://aurora.example/',
  links: [
    { label: 'Status page', url: 'https://status.aurora.example/' },
    { label: 'Write to us', url: 'mailto:hello@aurora.example' },
  ],
  terms: 'https://aurora.example/terms',
  faq: [
    {
      question: 'Who runs Aurora?',
      answer: 'Two engineers in Tromsø. The machines stand in two data centers there.',
    },
    {
      question: 'What if you stop?',
      answer: 'Your stake stays yours: any wallet that supports native staking can unstake it.',
    },
  ],
  preview: 'preview.png',
  poweredBy: false,
  location: 'Tromsø, Norway',
};

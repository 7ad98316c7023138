// English texts of the page's frame: header, footer, banners and errors of a view.

export const shellEnglish = {
  footerPromise:
    'Native stake, no derivative token. Your wallet keeps both authorities. This service never holds your keys.',
  footerLinks: 'More',
  terms: 'Terms',
  documentation: 'Documentation',
  apiReference: 'API reference',
  status: 'Status',
  cluster: 'Cluster: {name}',
  poweredBy: 'Powered by Holdfast',
} as const;

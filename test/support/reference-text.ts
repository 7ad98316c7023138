// Reads the whole reference: its index and the page of every group.

export const referenceText = async (serviceUrl: string): Promise<string> => {
  const get = async (path: string): Promise<string> => (await fetch(serviceUrl + path)).text();
  const index = await get('/docs/reference');
  const paths = new Set([...index.matchAll(/href="(\/docs\/reference\/[a-z]+)"/g)].map(([, path]) => path!));
  return [index, ...(await Promise.all([...paths].map(get)))].join('\n');
};

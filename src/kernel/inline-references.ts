// Replaces the references in a JSON schema with their targets.

type Json = Record<string, unknown>;

/**
 * Returns `schema` with every `$ref` replaced by its target in `definitions`, because some clients do not
 * follow references. Fields next to a reference take precedence over those of its target. Unknown references
 * become `{}`.
 */
export const inlineReferences = (schema: unknown, definitions: Json): unknown => {
  if (Array.isArray(schema)) return schema.map((item) => inlineReferences(item, definitions));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref, $defs: _defs, $schema: _schema, ...members } = schema as Json;
  const own = Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, inlineReferences(value, definitions)]),
  );
  if (typeof $ref !== 'string') return own;
  const target = definitions[$ref.split('/').at(-1) ?? ''] ?? {};
  return { ...(inlineReferences(target, definitions) as Json), ...own };
};

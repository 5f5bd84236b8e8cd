/** The JSON schema of the config file, made from the options themselves. Editors show its texts. */
import { CONFIG_OPTION_TABLE } from './config.js';
import { fallbackText, keyOf, type OptionSpec } from './option-spec.js';

/** The schema as JSON Schema draft 7, which every editor knows. Pure. */
export function configSchema(): object {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'bfcheck.config.json',
    description: 'What `bfcheck` is to check and how. Flags on the command line win over this file.',
    type: 'object',
    additionalProperties: false,
    allowTrailingCommas: true,
    properties: {
      $schema: { type: 'string' },
      ...Object.fromEntries(CONFIG_OPTION_TABLE.map((spec) => [keyOf(spec), propertyOf(spec)])),
    },
  };
}

/** The schema as the text of the published file. */
export function configSchemaJson(): string {
  return `${JSON.stringify(configSchema(), null, 2)}\n`;
}

function propertyOf(spec: OptionSpec): object {
  const fallback = spec.kind.type === 'count' ? spec.fallback : fallbackText(spec);
  return {
    description: `${spec.says.charAt(0).toUpperCase()}${spec.says.slice(1)}.`,
    ...typeOf(spec),
    ...(fallback === null || fallback === undefined ? {} : { default: fallback }),
  };
}

function typeOf({ kind }: OptionSpec): object {
  switch (kind.type) {
    case 'count':
      return { type: 'integer', minimum: kind.least };
    case 'time':
      return {
        anyOf: [
          { type: 'integer', minimum: 0, description: 'milliseconds' },
          { type: 'string', pattern: '^\\s*\\d+(\\.\\d+)?\\s*[A-Za-z]*\\s*$' },
        ],
      };
    case 'list':
      return { type: 'array', items: { type: 'string' } };
    case 'choice':
      return { enum: kind.of };
    case 'switch':
      return { type: 'boolean' };
    default:
      return { type: 'string' };
  }
}

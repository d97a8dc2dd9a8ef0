/** A rule set of one's own as text: JSON, or the `key = value` lines of docs/rules.md. */
import type { EventRules } from './protocol';

export type RuleFields = Record<string, unknown>;

/** What a calculator of these rules starts from: rules of one's own as text, which its links carry too. */
export function calculatorRules({ id, version, own }: EventRules): { rules: string; own: string } {
  return { rules: `${id}@${version}`, own: own ? JSON.stringify(own) : '' };
}

export class RulesTextError extends Error {}

function readValue(text: string, line: number): unknown {
  try {
    return JSON.parse(text.replace(/^'(.*)'$/, '"$1"').replace(/,\s*\]/g, ']'));
  } catch {
    throw new RulesTextError(`Line ${line}: “${text}” is not a value. Texts stand in "quotes".`);
  }
}

export function readOwnRules(text: string): RuleFields {
  if (text.trim().startsWith('{')) {
    try {
      return JSON.parse(text) as RuleFields;
    } catch {
      throw new RulesTextError('This begins like JSON, but is not.');
    }
  }
  const fields: RuleFields = {};
  let into = fields;
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.replace(/\s+#.*$|^#.*$/, '').trim();
    if (!line) continue;
    const [, table] = /^\[\s*([\w-]+)\s*\]$/.exec(line) ?? [];
    const [, key, value] = /^"?([\w-]+)"?\s*=\s*(.+)$/.exec(line) ?? [];
    if (table) fields[table] = into = {};
    else if (key && value) into[key] = readValue(value, index + 1);
    else throw new RulesTextError(`Line ${index + 1}: “${line}” is not of the form key = value.`);
  }
  if (Object.keys(fields).length === 0) throw new RulesTextError('There is nothing in it.');
  return fields;
}

export const OWN_RULES_EXAMPLE = `id = "thursday"
base = "casual"
title = "Thursday night"
scoop = 6

[middle_royalties]
full-house = 10
`;

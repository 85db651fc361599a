// Selects the fields that the payer must enter: those that the possible channels require and the merchant did not send.

import type { Reference } from '../../../platform/reference/reference.ts'
import type { Channel } from '../../../rails/contract/channel.ts'
import { type AskedField, type Fields, isNeeded } from '../../../rails/methods/traits.ts'
import { isEmpty } from '../../../rails/routing/known-payer.ts'

export function fieldsToAsk(
  channels: readonly Channel[],
  merchantFields: Fields,
  reference: Pick<Reference, 'items'>,
): readonly AskedField[] {
  return mergeFields(channels.flatMap(({ traits }) => traits.asks))
    .filter((field) => isEmpty(merchantFields[field.name]) && isNeeded(field, merchantFields))
    .map((field) => withChoices(field, reference))
}

function mergeFields(fields: readonly AskedField[]): AskedField[] {
  const merged = new Map<string, AskedField>()
  for (const field of fields) {
    const choices = [...(merged.get(field.name)?.choices ?? []), ...(field.choices ?? [])]
    const different = choices.filter(
      ({ value }, at) => at === choices.findIndex((one) => one.value === value),
    )
    merged.set(field.name, field.choices === undefined ? field : { ...field, choices: different })
  }
  return [...merged.values()]
}

export function withChoices(field: AskedField, reference: Pick<Reference, 'items'>): AskedField {
  if (field.choicesFrom === undefined) return field
  const choices = reference.items(field.choicesFrom).map(({ code, name }) => ({ value: code, label: name }))
  return { ...field, choices }
}

// The fields that the page asks the payer for: those that the possible channels require and the merchant did not send.
import type { Channel } from '../../channels/contract.ts'
import { isEmpty } from '../../channels/known-payer.ts'
import { type AskedField, type Fields, isNeeded } from '../../channels/traits.ts'
import type { Reference } from '../../reference/reference.ts'

export function fieldsToAsk(
  channels: readonly Channel[],
  merchantFields: Fields,
  reference: Pick<Reference, 'items'>,
): readonly AskedField[] {
  return mergeFields(channels.flatMap(({ traits }) => traits.asks))
    .filter((field) => isEmpty(merchantFields[field.name]) && isNeeded(field, merchantFields))
    .map((field) => withChoices(field, reference))
}

/** One question for each name, with the choices of all channels. */
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

/** Fields whose choices are a reference list get its items of this moment. */
export function withChoices(field: AskedField, reference: Pick<Reference, 'items'>): AskedField {
  if (field.choicesFrom === undefined) return field
  const choices = reference.items(field.choicesFrom).map(({ code, name }) => ({ value: code, label: name }))
  return { ...field, choices }
}

// Stripe's form encoding: a nested field is written as name[field], a list as name[].

export type FormFields = { readonly [name: string]: string | readonly string[] | FormFields | undefined }

/** Encodes the fields, without those that are undefined or empty. */
export function toForm(fields: FormFields): string {
  return new URLSearchParams(pairsOf(fields)).toString()
}

function pairsOf(fields: FormFields, parent = ''): string[][] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const path = parent === '' ? name : `${parent}[${name}]`
    if (value === undefined || value === '') return []
    if (typeof value === 'string') return [[path, value]]
    return isList(value) ? value.map((one) => [`${path}[]`, one]) : pairsOf(value, path)
  })
}

function isList(value: readonly string[] | FormFields): value is readonly string[] {
  return Array.isArray(value)
}

// The table of pages that the web app itself uses, and an address of each with something to show.
/** As in web/src/pages.ts, whose type would bring the whole web app into the check of types. */
export type OfficePage = {
  readonly entry: string
  readonly path: string
  readonly needs: string
  readonly only?: 'merchant' | 'operator'
}

const table: { readonly pages: readonly OfficePage[] } = await import(
  new URL('../web/src/pages.ts', import.meta.url).href
)

export const officePages: readonly OfficePage[] = table.pages

export type Things = {
  readonly merNo: number
  readonly tradeNo: string
  readonly linkId: string
  readonly statementId: string
}

/** Operators choose a merchant here. */
const ofOneMerchant = /^\/(merchant-\w+|orders|books\/entries)$/

/** Side panels stay closed. */
export function addressOf({ path, only }: OfficePage, things: Things): string {
  const values: Readonly<Record<string, unknown>> = { ...things }
  const filled = path.replace(/\/:\w+\?$/, '').replace(/:(\w+)/g, (_, name: string) => String(values[name]))
  return only === 'operator' && ofOneMerchant.test(filled) ? `${filled}?merNo=${things.merNo}` : filled
}

/** The name of its picture: `/settings/audit/:entryId?` is `page-settings-audit`. */
export function pictureOf({ path }: OfficePage): string {
  return `page${path
    .replace(/\/:\w+\?$/, '')
    .replace('/:', '/one-')
    .replaceAll('/', '-')
    .toLowerCase()}`
}

// The table of pages that the web app itself uses, and an address of each with something to show.
/** The type of web/src/pages.ts, written out because importing it would bring the whole web app into the type check. */
export type OfficePage = {
  readonly entry: string
  readonly path: string
  readonly needs: string
  readonly only?: 'merchant' | 'operator'
}

const table: { readonly pages: readonly OfficePage[] } = await import(
  new URL('../../web/src/pages.ts', import.meta.url).href
)

export const officePages: readonly OfficePage[] = table.pages

export type Things = {
  readonly merNo: number
  readonly tradeNo: string
  readonly linkId: string
  readonly statementId: string
}

/** The pages on which operators choose a merchant. */
const ofOneMerchant = /^\/(merchant-[\w-]+|orders|books\/entries)$/

/** Returns the address of a page, with its side panel closed. */
export function addressOf({ path, only }: OfficePage, things: Things): string {
  const values: Readonly<Record<string, unknown>> = { ...things }
  const filled = path.replace(/\/:\w+\?$/, '').replace(/:(\w+)/g, (_, name: string) => String(values[name]))
  return only === 'operator' && ofOneMerchant.test(filled) ? `${filled}?merNo=${things.merNo}` : filled
}

/** Returns the name of the page's picture: `/settings/audit/:entryId?` is `page-settings-audit`. */
export function pictureOf({ path }: OfficePage): string {
  return `page${path
    .replace(/\/:\w+\?$/, '')
    .replaceAll('/:', '/one-')
    .replaceAll('/', '-')
    .toLowerCase()}`
}

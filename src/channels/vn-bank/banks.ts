// The banks of Vietnam's interbank network by their NAPAS numbers, six digits each.
import { Banks } from 'vietnam-qr-pay'
import type { Fields } from '../traits.ts'

export type VnBank = { readonly bin: string; readonly name: string; readonly bic: string | undefined }

/** A bank that took another's number over counts, not its forerunner: of two, the one that sends transfers too. */
const byBin: ReadonlyMap<string, VnBank> = new Map(
  Banks.filter(({ bin, deprecated }) => bin !== '' && deprecated !== true)
    .sort((one, other) => one.vietQRStatus - other.vietQRStatus)
    .map(({ bin, shortName, swiftCode }) => [bin, { bin, name: shortName, bic: swiftCode || undefined }]),
)

export const vnBanks: readonly VnBank[] = [...byBin.values()].sort((one, other) =>
  one.name.localeCompare(other.name, 'en'),
)

/** Merchants tell a number; a counterparty tells it back as text. */
export function chosenBank({ vaBankId }: Fields): VnBank | undefined {
  return typeof vaBankId === 'number' || typeof vaBankId === 'string'
    ? byBin.get(String(vaBankId))
    : undefined
}

// EMV payloads: codes that this gateway has shown to payers.

import { payeeIn } from '../../../src/rails/toolkit/formats/br-code.ts'
import { readEmv, readTemplate, writeEmv } from '../../../src/rails/toolkit/formats/emv-qr.ts'
import type { Target } from '../../input.ts'
import { startPayment } from '../../prepare-orders.ts'
import { methodFields } from '../../requests.ts'
import type { World } from '../../world.ts'
import { parserTarget } from './parser-target.ts'

const charge = { money: { amount: 15_075n, currency: 'BRL' }, txid: 'A1M7H10W9N021CC1C7XTWN6JK321' }

export async function openEmv(world: World): Promise<Target> {
  const coded = methodFields.filter(([type]) => ['PIX', 'GCASH', 'VN_BANK'].includes(type))
  for (const [type, fields] of coded) await startPayment(world, type, fields)
  const rows = await world.db.query<{ code: string }>({
    text: `select distinct action->>'qrCode' as code from attempts
      where channel in ('pix', 'gcash', 'vn_bank') and action->>'qrCode' is not null order by 1 limit 20`,
  })
  return parserTarget({
    name: 'emv',
    seeds: rows.map(({ code }) => ({ code })),
    parse({ code = '' }) {
      payeeIn(code, charge)
      const values = readEmv(code)
      if (values === undefined) return false
      for (const value of values.values()) readTemplate(value)
      // A code that ends with its checksum must be the same text when its fields are written again.
      const fields = [...values].filter(([id]) => id !== '63')
      if (writeEmv(fields) !== code && [...values.keys()].at(-1) === '63')
        throw new Error('reads what it would not write')
      return true
    },
  })
}

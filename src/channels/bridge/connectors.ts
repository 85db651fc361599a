// The methods that our own protocol serves.
import { connectCard } from '../card/connect.ts'
import { connectCashApp } from '../cash-app/connect.ts'
import { connectCrypto } from '../crypto/connect.ts'
import { connectGcash } from '../gcash/connect.ts'
import type { Method } from '../method.ts'
import { connectPerTransfer } from '../per-transfer/connect.ts'
import { connectSepa } from '../sepa/connect.ts'
import type { Connect } from '../settings.ts'
import { connectSpei } from '../spei/connect.ts'
import { connectUnionpay } from '../unionpay/connect.ts'
import { connectVnBank } from '../vn-bank/connect.ts'

export const connectors: Readonly<Partial<Record<Method, Connect>>> = {
  card: connectCard,
  crypto: connectCrypto,
  unionpay: connectUnionpay,
  cash_app: connectCashApp,
  gcash: connectGcash,
  spei: connectSpei,
  per_transfer: connectPerTransfer,
  sepa: connectSepa,
  vn_bank: connectVnBank,
}

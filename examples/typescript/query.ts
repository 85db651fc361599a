// Asks for an order by your number: node query.ts ORDER. Prints succeeded, failed, pending or not-found.
import { tollgate } from './tollgate.ts'

const [, , merOrderNo = ''] = process.argv
// With `waitMs` it asks until the order is decided, or the time is over.
const order = await tollgate.order({ merOrderNo }).resolve({ waitMs: 0 })

console.log(order.status)

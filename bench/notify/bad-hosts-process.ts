// Merchants' servers that delay a sender, each behaviour under a path with its name; the tests use the same ones.
import { behaviours, openReceiver } from '../../test/counterparties/receiver.ts'

const receiver = await openReceiver()
for (const [name, behaviour] of Object.entries(behaviours)) receiver.on(`/${name}`, behaviour)
console.log(`ready ${receiver.url}`)
process.once('SIGTERM', () => process.exit(0))

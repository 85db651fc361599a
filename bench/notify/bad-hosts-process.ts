// Stands for merchants' servers that delay a sender. Each behaviour has a path with its name. The tests use the same
// behaviours.
import { behaviours, openReceiver } from '../../test/counterparties/receiver.ts'

const receiver = await openReceiver()
for (const [name, behaviour] of Object.entries(behaviours)) receiver.on(`/${name}`, behaviour)
console.log(`ready ${receiver.url}`)
process.once('SIGTERM', () => process.exit(0))

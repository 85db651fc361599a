// Servers of merchants that hold a sender up, each way at a path of its name: those that the tests know.
import { behaviours, openReceiver } from '../../test/receiver.ts'

const receiver = await openReceiver()
for (const [name, behaviour] of Object.entries(behaviours)) receiver.on(`/${name}`, behaviour)
console.log(`ready ${receiver.url}`)
process.once('SIGTERM', () => process.exit(0))

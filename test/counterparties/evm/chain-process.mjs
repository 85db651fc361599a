// A chain of its own with a JSON-RPC server. Blocks are made only when a test asks for one. Prints its port.
import { createHardhatRuntimeEnvironment } from 'hardhat/hre'

const chain = { type: 'edr-simulated', chainType: 'l1', chainId: 137, mining: { auto: false, interval: 0 } }
const { network } = await createHardhatRuntimeEnvironment({ networks: { chain } })
const server = await network.createServer('chain', '127.0.0.1', 0)
const { port } = await server.listen()
console.log(`ready ${port}`)

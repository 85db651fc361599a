// Receives notifications: a shop that always answers SUCCESS, on as little of the machine as the issuer takes.
import { startLeanServer } from './lean-server.ts'

startLeanServer(() => ({ status: 200, type: 'text/plain', body: 'SUCCESS' }))

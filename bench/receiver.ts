// Receives notifications: a shop that always answers SUCCESS, on as little of the machine as the issuer takes.
import { response, startLeanServer } from './lean-server.ts'

const success = response(200, 'text/plain', 'SUCCESS')

startLeanServer(() => success)

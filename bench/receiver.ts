// A shop that receives notifications and always answers SUCCESS. It uses as little processor time as the lean issuer.
import { response, startLeanServer } from './lean-server.ts'

const success = response(200, 'text/plain', 'SUCCESS')

startLeanServer(() => success)

# oracle: native
# Finalizers run in whichever thread looks next. What another thread has sent to that one is not lost in them.
log = []
killed = Thread.new { begin; sleep; ensure; log << :ended; end }
raised = Thread.new { begin; sleep; rescue ArgumentError => e; log << e.message; end }
Thread.pass until killed.stop? && raised.stop?
threads = {}
told = false
finalizer = proc do
  threads[Thread.current] = true
  unless told
    told = true
    killed.kill
    raised.raise(ArgumentError, "told")
  end
  sleep 0.005
  raise "ends nothing" if threads.size == 100
end
60.times { ObjectSpace.define_finalizer(Object.new, finalizer) }
GC.start
sleep 0.5
p [killed.join(2), raised.join(2)].map { |t| t ? :joined : :lost }, log.map(&:to_s).sort

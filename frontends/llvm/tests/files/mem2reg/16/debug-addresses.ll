; ModuleID = '<stdin>'
source_filename = "<stdin>"

@elsewhere = external global i32

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare void @llvm.dbg.addr(metadata, metadata, metadata) #0

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare void @llvm.dbg.value(metadata, metadata, metadata) #0

define i32 @two_arms(i32 %c, i32 %a, i32 %b) !dbg !4 {
entry:
  call void @llvm.dbg.value(metadata i32 %a, metadata !7, metadata !DIExpression()), !dbg !9
  %is_set = icmp sgt i32 %c, 4, !dbg !10
  br i1 %is_set, label %then, label %else, !dbg !10

then:                                             ; preds = %entry
  call void @llvm.dbg.value(metadata i32 6, metadata !7, metadata !DIExpression()), !dbg !9
  br label %join, !dbg !11

else:                                             ; preds = %entry
  call void @llvm.dbg.value(metadata i32 %b, metadata !7, metadata !DIExpression()), !dbg !9
  br label %join

join:                                             ; preds = %else, %then
  %slot.0 = phi i32 [ 6, %then ], [ %b, %else ], !dbg !9
  call void @llvm.dbg.value(metadata i32 %slot.0, metadata !7, metadata !DIExpression()), !dbg !9
  ret i32 %slot.0, !dbg !12
}

define void @several_addresses(i32 %x) !dbg !13 {
entry:
  call void @llvm.dbg.value(metadata i32 %x, metadata !14, metadata !DIExpression()), !dbg !15
  call void @llvm.dbg.value(metadata i32 %x, metadata !14, metadata !DIExpression()), !dbg !15
  %b = sub nsw i32 %x, 1, !dbg !16
  call void @llvm.dbg.value(metadata i32 %b, metadata !14, metadata !DIExpression()), !dbg !15
  call void @llvm.dbg.value(metadata i32 %b, metadata !14, metadata !DIExpression()), !dbg !15
  call void @llvm.dbg.value(metadata i32 7, metadata !14, metadata !DIExpression()), !dbg !16
  store i32 7, ptr @elsewhere, align 4, !dbg !16
  call void @llvm.dbg.value(metadata i32 8, metadata !14, metadata !DIExpression()), !dbg !15
  call void @llvm.dbg.value(metadata i32 8, metadata !14, metadata !DIExpression()), !dbg !15
  %d = sub nsw i32 8, 1, !dbg !16
  call void @llvm.dbg.value(metadata i32 %d, metadata !14, metadata !DIExpression()), !dbg !15
  call void @llvm.dbg.value(metadata i32 %d, metadata !14, metadata !DIExpression()), !dbg !15
  ret void, !dbg !16
}

attributes #0 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}

!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "by hand", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: "s.c", directory: "/s")
!2 = !{i32 2, !"Dwarf Version", i32 4}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "two_arms", scope: !1, file: !1, line: 10, type: !5, scopeLine: 10, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!5 = !DISubroutineType(types: !6)
!6 = !{null}
!7 = !DILocalVariable(name: "x", scope: !4, file: !1, line: 11, type: !8)
!8 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!9 = !DILocation(line: 0, scope: !4)
!10 = !DILocation(line: 11, column: 3, scope: !4)
!11 = !DILocation(line: 12, column: 3, scope: !4)
!12 = !DILocation(line: 14, column: 3, scope: !4)
!13 = distinct !DISubprogram(name: "several_addresses", scope: !1, file: !1, line: 20, type: !5, scopeLine: 20, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!14 = !DILocalVariable(name: "y", scope: !13, file: !1, line: 21, type: !8)
!15 = !DILocation(line: 0, scope: !13)
!16 = !DILocation(line: 22, column: 3, scope: !13)
